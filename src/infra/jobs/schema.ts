import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'

/** The files of the job library that make its tables, named by their number. (graphile-worker 0.18: `migrate`) */
const folder = new URL('../sql/', import.meta.resolve('graphile-worker'))

/**
 * Makes the tables of the job library as they were at one of its migrations, in the transaction of the caller; the library
 * itself uses transactions of its own, and makes the newest only.
 */
export async function applyJobMigrations(client: pg.ClientBase, newest: number): Promise<void> {
  await client.query(`create schema graphile_worker; create table graphile_worker.migrations (
    id int primary key, ts timestamptz default now() not null, breaking boolean not null default false)`)
  for (const name of (await readdir(folder)).sort()) {
    if (!(Number.parseInt(name, 10) <= newest)) continue
    const text = await readFile(new URL(name, folder), 'utf8')
    await client.query(text.replaceAll(/:GRAPHILE_WORKER_SCHEMA\b/g, '"graphile_worker"'))
  }
}
