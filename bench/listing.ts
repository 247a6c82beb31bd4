import { median } from './load.ts'
import { below, type Row } from './report.ts'
import type { Service } from './service.ts'
import { makePlayer, makeTournaments } from './world.ts'

const sizes = [1_000, 200_000]
const reads = 300
const chunk = 10_000

/** One page of the public list, read by one caller after the other, while the list grows two hundredfold. */
export async function listPages({ url, runtime }: Service): Promise<Row[]> {
  const organiser = await makePlayer(runtime)
  const query = 'limit=25'
  const medians: number[] = []
  let made = 0
  for (const size of sizes) {
    for (; made < size; made += Math.min(chunk, size - made)) {
      await makeTournaments(runtime, organiser.guid, Math.min(chunk, size - made))
    }
    await runtime.database.pool.query('vacuum analyze')
    medians.push(await pageMs(`${url}/api/tournaments?${query}`))
  }
  const figures = sizes.map((size, index) => `${medians[index]?.toFixed(2)} ms at ${size}`).join(', ')
  return [
    below('list page', 'itself, slowest ÷ fastest', Math.max(...medians) / Math.min(...medians), 1.5, '', figures),
  ]
}

/** Milliseconds at the median; every read walks on by the cursor, so that none is remembered. */
async function pageMs(first: string): Promise<number> {
  const taken: number[] = []
  let cursor: string | null = null
  for (let read = 0; read < reads + 30; read++) {
    const started = performance.now()
    const answer = await fetch(cursor === null ? first : `${first}&before=${cursor}`)
    const page = (await answer.json()) as { nextCursor: string | null }
    // The first few meet statements that are not planned yet.
    if (read >= 30) taken.push(performance.now() - started)
    cursor = page.nextCursor
  }
  return median(taken)
}
