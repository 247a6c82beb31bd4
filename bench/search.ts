import { growArchive } from './archive.ts'
import { median } from './load.ts'
import { below, type Row } from './report.ts'
import { type Service, startService } from './service.ts'
import { makePlayer, makeTeams, makeTournaments } from './world.ts'

const sizes = [1_000, 200_000] as const
const maps = 1_000
const reads = 150
const chunk = 2_000

/** Texts that many, few and single records have. */
const questions: Readonly<Record<string, string>> = {
  'a rare word': 'rarest',
  'a common word': 'bench',
  'a common beginning': 'be',
  'a rare and a common word': 'bench rarest',
  'two common words': 'cup bench',
  'the start of many names of users': 'many',
}

/**
 * Searches two services: one with few users, tournaments and teams, and one with two hundred times as many. They are
 * asked in turns, so that other work of the machine affects both.
 */
export async function searches(large: Service): Promise<Row[]> {
  const small = await startService()
  try {
    const services = [small, large]
    for (const [index, service] of services.entries()) await fill(service, sizes[index] ?? 0)
    const rows: Row[] = []
    for (const [name, q] of Object.entries(questions)) {
      const times = await searchMs(services.map(({ url }) => `${url}/api/search?q=${encodeURIComponent(q)}`))
      const figures = sizes.map((size, index) => `${times[index]?.toFixed(2)} ms at ${size}`).join(', ')
      const growth = Math.max(...times) / Math.min(...times)
      rows.push(below(`search: ${name}`, 'itself, slowest ÷ fastest', growth, 1.5, '', figures))
    }
    return rows
  } finally {
    await small.close()
  }
}

async function fill(service: Service, size: number): Promise<void> {
  const { runtime } = service
  const { pool } = runtime.database
  const organiser = await makePlayer(runtime)
  await growArchive(service, organiser.guid, 0, maps)
  for (let made = 0; made < size; made += chunk) {
    const count = Math.min(chunk, size - made)
    const tournaments = await makeTournaments(runtime, organiser.guid, count)
    await makeTeams(runtime, tournaments, organiser.guid)
    await pool.query(
      `insert into users (chat_platform_id, username, preferred_name, avatar_url)
       select '7000000000' || n, 'many-' || n, 'Many ' || n, '' from generate_series($1::int + 1, $1::int + $2::int) as n`,
      [made, count],
    )
  }
  const [rarest] = await makeTournaments(runtime, organiser.guid, 1)
  await pool.query(`update tournaments set name = 'Bench cup rarest' where guid = $1`, [rarest])
  await pool.query('vacuum analyze')
}

/** The median of each in milliseconds. */
async function searchMs(addresses: readonly string[]): Promise<number[]> {
  const taken = addresses.map((): number[] => [])
  for (let read = 0; read < reads + 30; read++) {
    for (const [index, address] of addresses.entries()) {
      const started = performance.now()
      const answer = await fetch(address)
      if (answer.status !== 200) throw new Error(`${address} was answered ${answer.status}`)
      await answer.arrayBuffer()
      // The first reads include the planning of statements.
      if (read >= 30) taken[index]?.push(performance.now() - started)
    }
  }
  return taken.map(median)
}
