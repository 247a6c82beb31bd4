import type { Known } from '../../data/writes.ts'

/** Reads again what lists the platforms. */
export function renewPlatforms(known: Known): void {
  known.renew('/admin/tournament-platforms')
  known.renew('/tournament-platforms')
}
