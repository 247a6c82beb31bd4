import { hash } from 'node:crypto'
import type { Ballot } from './tally.ts'

/**
 * By which anybody can prove that they counted the same ballots: SHA-256, in hexadecimal, of the sorted lines `category,nominee` in
 * lower case, joined by line feeds, without a header and without one at the end. (awards A10)
 */
export function ballotsDigest(ballots: Iterable<Ballot>): string {
  const lines = Array.from(ballots, ({ category, nominee }) => `${category},${nominee}`.toLowerCase()).sort()
  return hash('sha256', lines.join('\n'), 'hex')
}
