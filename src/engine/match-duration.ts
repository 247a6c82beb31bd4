/** Minutes that a game takes, with what comes before and behind it. */
const minutesPerGame = 10

/** How long a match usually lasts, by its best-of: 10 minutes for 1, 30 for 3, and 10 for each game more. (D64) */
export function usualMinutes(bestOf: number): number {
  return bestOf * minutesPerGame
}
