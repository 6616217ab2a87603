/** A shuffled copy; every order is equally likely (Fisher–Yates). */
export function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const shuffled: T[] = [];
  for (const item of items) {
    const at = Math.floor(random() * (shuffled.length + 1));
    shuffled.push(item);
    [shuffled[at], shuffled[shuffled.length - 1]] = [item, shuffled[at] as T]; // `at` is in range.
  }
  return shuffled;
}
