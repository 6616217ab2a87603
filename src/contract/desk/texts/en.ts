type Size = { readonly most: number; readonly found: number };
type Path = { readonly path: string };

/** Why the desk did not do what it was asked, in English: whole sentences. */
export const en = {
  refusals: {
    'editing-off': 'Editing is off: start the portal with --edit or WAYPOST_EDIT=on.',
    'no-json-file': ({ path }: Path) => `There is no JSON file ${path} to change.`,
    'no-file': ({ path }: Path) => `There is no file ${path}.`,
    'no-version': ({ number }: { readonly number: number }) => `There is no version ${number}.`,
    'no-draft': 'There is no draft: nothing was changed.',
    'already-live': 'The live version has the same files: nothing was changed.',
    'same-change': 'You and somebody else have changed the same: say whose change stays.',
    'other-change': 'This draft was changed meanwhile, perhaps in another window: look at it, and try again.',
    'changed-since-seen':
      'The draft has changed since you looked at it, perhaps in another window: look at its changes, and try again.',
    'changed-while-published': 'The draft changed while it was being published: look at it again.',
    'published-meanwhile': ({ number }: { readonly number: number }) =>
      `Meanwhile version ${number} was published: look at the difference first.`,
    'draft-too-large': ({ most, found }: Size) =>
      `The changed files of a draft may have ${count(most)} bytes, and these have ${count(found)}: publish first, or make the images smaller.`,
    'too-many-files': ({ most }: { readonly most: number }) =>
      `A site may have ${most} files: remove some first.`,
    'too-many-drafts': ({ most }: { readonly most: number }) =>
      `There are ${most} drafts already: discard one first.`,
    'owner-keys': ({ keys }: { readonly keys: readonly string[] }) =>
      `Only an owner may change ${keys.join(', ')} of site.json.`,
    'has-faults': ({ faults }: { readonly faults: number }) =>
      `This cannot go live, because it has ${faults === 1 ? 'a fault' : `${faults} faults`}.`,
    'took-too-long':
      'This was stopped, because it took too much time or memory: make the file smaller or simpler.',
    busy: 'The server has too much to do at this moment: try again in a minute.',
    'file-damaged': ({ path, hash }: Path & { readonly hash: string }) =>
      `The file ${path} of this version is damaged or missing (${hash}).`,
    'files-missing': ({ files }: { readonly files: number }) => `${files} files of this version are missing.`,
    'file-name': ({
      path,
      most,
      endings,
    }: Path & { readonly most: number; readonly endings: readonly string[] }) =>
      `The name of a file must be a path such as "images/logo.svg": letters, digits, "-", "_" and ".", at most ${most} of them, and an ending out of ${endings.join(', ')}. Got ${path}.`,
  },

  /** Completes a refusal of a file, after its path. */
  file: (path: string, reason: string) => `${path}: ${reason}.`,
  files: {
    'other-type': ({ type }: { readonly type: string }) => `it is no ${type} image`,
    pixels: ({
      width,
      height,
      most,
    }: {
      readonly width: number;
      readonly height: number;
      readonly most: number;
    }) => `it has ${width} × ${height} pixels, and each side may have ${most}`,
    'svg-broken': ({ reason }: { readonly reason: string }) => `it is not well-formed (${reason})`,
    'svg-doctype': 'take out its <!DOCTYPE>, which may hold entities',
    'svg-instruction': ({ target }: { readonly target: string }) => `take out <?${target}?>`,
    'svg-root': ({ namespace }: { readonly namespace: string }) =>
      `its first element must be <svg xmlns="${namespace}">`,
    'svg-depth': ({ most }: { readonly most: number }) => `elements may be nested ${most} deep`,
    'svg-style': 'it loads something by its style: keep everything in the file',
    'svg-element': ({ name }: { readonly name: string }) =>
      `take out <${name}>: an image must not run or show anything else`,
    'svg-handler': ({ name }: { readonly name: string }) =>
      `take out ${name}="…": an image must not run anything`,
    'svg-link': ({ href }: { readonly href: string }) =>
      `take out href=${href}: an image must not lead or load from elsewhere`,
    'svg-loading': ({ name, value }: { readonly name: string; readonly value: string }) =>
      `take out ${name}=${value}: it loads something from elsewhere`,
  },

  /** Completes a refusal of an edit, after what it would change. */
  edit: (file: string, at: string, reason: string) =>
    `${file}: ${at || 'the file'} cannot be changed: ${reason}.`,
  edits: {
    'too-many': ({ chars, most, found }: Size & { readonly chars: number }) =>
      `of a file with ${count(chars)} characters, ${most} values can be changed at once, and these are ${found}`,
    'no-json': 'the file is no JSON: replace it as a whole',
    'whole-file': 'the whole file can only be replaced',
    'no-insertion': 'only a list takes an insertion',
    'nothing-there': 'there is nothing to remove',
    'not-there': ({ at }: At) => `${at} is not there`,
    'is-list': ({ at }: At) => `${at || 'the file'} is a list`,
    'no-list': ({ at }: At) => `${at || 'the file'} is no list`,
    beyond: ({ at, items }: At & { readonly items: number }) => `${at} has ${items} items`,
  },
};

type At = { readonly at: string };

function count(number: number): string {
  return number.toLocaleString('en');
}

/** The words of one language. The type check finds a missing one. */
export type DeskRefusalTexts = typeof en;
