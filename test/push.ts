import { expect } from 'vitest'
import { pushFollower } from '../src/features/people/pushDevices/followers.ts'
import { caughtUp } from './event-log.ts'
import type { Browser, FakePush } from './fakes/push.ts'
import type { Caller, Harness } from './harness.ts'
import { until } from './waiting.ts'

export const pushPath = '/users/@me/pushDevices'

/** A browser that gets the user's messages, with the GUID of its device. */
export async function makePushDevice(
  api: Harness,
  fake: Pick<FakePush, 'browser'>,
  user: Caller,
  settings: object = {},
): Promise<Browser & { readonly guid: string }> {
  const browser = fake.browser()
  const reply = await api.post(pushPath, user, { ...browser.subscription, ...settings })
  expect(reply.status, reply.text).toBe(201)
  return { ...browser, guid: reply.body.guid }
}

/** Resolves when all events so far have led to messages, and all of these that are due have been sent. */
export async function allPushed(api: Harness): Promise<void> {
  await caughtUp(api, pushFollower)
  await until(async () => (await waiting(api)).every(({ isDue }) => !isDue))
}

/** The messages that wait, with how many attempts were made. */
export async function waiting(api: Harness) {
  return api.sql<{ isDue: boolean; runAt: Date; attempts: number; occasion: string; device: string }>(
    `select j.run_at <= now() as "isDue", j.run_at as "runAt", (j.payload ->> 'attempts')::int as attempts,
       j.payload ->> 'occasion' as occasion, j.payload ->> 'device' as device
     from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = 'pushDevices.deliver' order by j.id`,
  )
}
