import { expect } from 'vitest'
import { notifier } from '../src/features/people/notifications/followers.ts'
import { caughtUp } from './event-log.ts'
import type { Caller, Harness } from './harness.ts'

/** The notifications of users, after all events so far have been handled. */

interface Told {
  readonly type: string
  readonly title: string
  readonly body: string
  readonly data: object
}

/** Resolves when the notifications of all events so far have been saved. */
export async function allTold(api: Harness): Promise<void> {
  await caughtUp(api, notifier)
}

/** The user's newest notifications, as the API returns them. */
export async function messagesOf(api: Harness, user: Pick<Caller, 'token'>): Promise<Told[]> {
  await allTold(api)
  const reply = await api.call('GET', '/users/@me/notifications?limit=100', { token: user.token })
  expect(reply.status).toBe(200)
  return reply.body.notifications.map(({ type, title, body, data }: Told) => ({ type, title, body, data }))
}
