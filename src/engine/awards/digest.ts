import { createHash } from 'node:crypto'
import type { Ballot } from './tally.ts'

/**
 * A digest by which everybody can prove that they counted the same ballots: SHA-256, in hexadecimal, of the sorted
 * lines `category,nominee` in lower case. The lines are joined by line feeds, without a header and without a line feed
 * at the end. (awards A10)
 */
export function ballotsDigest(ballots: Iterable<Ballot>): string {
  // Equal ballots are counted first: there are many ballots, but few different ones.
  const times = new Map<string, number>()
  for (const { category, nominee } of ballots) {
    const line = `${category},${nominee}`.toLowerCase()
    times.set(line, (times.get(line) ?? 0) + 1)
  }
  const digest = createHash('sha256')
  let between = ''
  for (const line of [...times.keys()].sort()) {
    for (let left = times.get(line) ?? 0; left > 0; left -= 1) {
      digest.update(between + line)
      between = '\n'
    }
  }
  return digest.digest('hex')
}
