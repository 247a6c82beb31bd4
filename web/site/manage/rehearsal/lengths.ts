import { words } from '../../data/words.ts'

/** Such as 25 min, or 1 h 10 min. */
export function lengthOf(minutes: number): string {
  if (minutes < 60) return words('estimate.minutes', { minutes })
  const [hours, left] = [Math.floor(minutes / 60), minutes % 60]
  return left === 0 ? words('estimate.hours', { hours }) : words('estimate.hours-minutes', { hours, minutes: left })
}
