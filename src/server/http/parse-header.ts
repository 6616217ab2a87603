/** One item of a header such as `Accept-Language: zh-TW, en;q=0.5`. */
export type Preference = {
  /** In lower case. */
  readonly name: string;
  /** 1 where none is given; NaN where what is given is no number. */
  readonly weight: number;
};

/** Reads a list of weighted names. Without regular expressions, so that the time grows with the length and no faster. */
export function parsePreferences(value: string): readonly Preference[] {
  return value.split(',').map((item) => {
    const [name = '', ...parameters] = item.toLowerCase().split(';');
    const weight = parameters.map((parameter) => parameter.trim()).find((text) => text.startsWith('q='));
    return { name: name.trim(), weight: weight === undefined ? 1 : Number(weight.slice(2)) };
  });
}

/** The value of one cookie; undefined where it was not sent. */
export function readCookie(cookies: string | undefined, name: string): string | undefined {
  return cookies
    ?.split(';')
    .map((cookie) => cookie.trim())
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}
