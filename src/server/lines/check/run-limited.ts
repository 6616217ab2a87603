/** Runs a job for each item, at most `limit` of them at once. The promises are in the order of the items. */
export function runLimited<Item, Result>(
  items: readonly Item[],
  limit: number,
  run: (item: Item) => Promise<Result>,
): readonly Promise<Result>[] {
  const lanes: Promise<unknown>[] = [];
  return items.map((item, index) => {
    const lane = lanes[index % limit] ?? Promise.resolve();
    const result = lane.then(() => run(item));
    // The caller gets the error. The other jobs go on.
    lanes[index % limit] = result.catch(() => undefined);
    return result;
  });
}
