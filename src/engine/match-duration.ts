/** Minutes per game, with the time before and after it. */
const minutesPerGame = 10

/**
 * The usual length of a match in minutes: 10 for a best-of 1, 30 for a best-of 3, 10 more for each further game. (D64)
 */
export function defaultMinutes(bestOf: number): number {
  return bestOf * minutesPerGame
}
