import { vi } from 'vitest'
import type { FakeMail, ReceivedMail } from './fakes/mail.ts'
import type { Caller, Harness, Reply } from './harness.ts'

/** Verification mails from the reader's side. */

const within = { timeout: 60_000, interval: 20 }

export function request(api: Harness, user: Caller | null, email: unknown): Promise<Reply> {
  return api.put('/users/@me/email', user, { email })
}

/** The newest mail to an address, once there are `count` mails. */
export async function mailTo(fake: FakeMail, address: string, count = 1): Promise<ReceivedMail> {
  const received = () => fake.messages.filter(({ envelope }) => envelope.to.includes(address))
  await vi.waitUntil(() => received().length >= count, within)
  return received().at(-1) as ReceivedMail
}

/** The text after the last slash of the one link in a mail. */
export function tokenIn({ parsed }: ReceivedMail): string {
  const links = [...(parsed.text ?? '').matchAll(/https?:\/\/\S+/g)].map(([link]) => link)
  if (links.length !== 1) throw new Error(`the mail has ${links.length} links`)
  return new URL(links[0] as string).pathname.split('/').at(-1) as string
}

/** Requests a mail, and returns the token in it. */
export async function tokenFor(api: Harness, fake: FakeMail, user: Caller, email: string): Promise<string> {
  const before = fake.messages.filter(({ envelope }) => envelope.to.includes(email)).length
  const reply = await request(api, user, email)
  if (reply.status !== 202) throw new Error(`the request was answered ${reply.status} ${reply.text}`)
  return tokenIn(await mailTo(fake, email, before + 1))
}

/** Makes jobs that wait for their next attempt due now. */
export async function hurry(api: Pick<Harness, 'sql'>): Promise<void> {
  await api.sql('update graphile_worker._private_jobs set run_at = now() where locked_at is null')
  // Wakes the workers, which would otherwise look within two seconds.
  await api.sql(`select pg_notify('jobs:insert', '{"r":1,"count":1}')`)
}

/** Waits until no job runs: a service that ends during a job runs it again. */
export async function atRest(api: Harness): Promise<void> {
  const busy = () => api.sql('select from graphile_worker._private_jobs where locked_at is not null')
  await vi.waitUntil(async () => (await busy()).length === 0, within)
}

/** The whole content of the database as text; bytes as hexadecimal digits. */
export async function everythingStored(api: Harness): Promise<string> {
  const tables = await api.sql<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const contents = await Promise.all(
    tables.map(({ name }) => api.sql<{ line: string }>(`select row_of::text as line from ${name} as row_of`)),
  )
  return contents
    .flat()
    .map(({ line }) => line)
    .join('\n')
}
