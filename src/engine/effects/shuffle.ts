/** Returns a shuffled copy. Each item goes to a random place among those before it, so every order is equally likely. */
export function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const shuffled: T[] = [];
  for (const item of items) shuffled.splice(Math.floor(random() * (shuffled.length + 1)), 0, item);
  return shuffled;
}
