import { expect } from 'vitest'
import type { Caller, Harness } from './harness.ts'

/** What users were told of, once everything that happened has been. */

interface Told {
  readonly type: string
  readonly title: string
  readonly body: string
  readonly data: object
}

/** Resolves when everything that happened so far has been told. */
export async function allTold(api: Harness): Promise<void> {
  const [newest] = await api.sql<{ seq: string }>('select coalesce(max(seq), 0) as seq from event_log')
  const position = async () => {
    const [row] = await api.sql<{ position: string }>(`select position from followers where name = 'notifications'`)
    return Number(row?.position ?? -1)
  }
  await expect.poll(position, { timeout: 10_000, interval: 20 }).toBeGreaterThanOrEqual(Number(newest?.seq))
}

/** The user's newest messages, as the API shows them. */
export async function messagesOf(api: Harness, user: Pick<Caller, 'token'>): Promise<Told[]> {
  await allTold(api)
  const reply = await api.call('GET', '/users/@me/notifications?limit=100', { token: user.token })
  expect(reply.status).toBe(200)
  return reply.body.notifications.map(({ type, title, body, data }: Told) => ({ type, title, body, data }))
}
