import { describe, expect, test } from 'vitest'
import { codeOf } from '../../../../../test/problems.ts'
import type { Delivery } from '../../chatDeliveries/types.ts'
import { checkNotActive, checkNotStale, isChatAvailable } from './editing.ts'

const edited = new Date('2026-05-01T18:00:00.123Z')

test.each([
  [null, null, null],
  [null, '1970-01-01T00:00:00Z', null],
  [null, '2026-05-01T18:00:00.123Z', 'update.stale'],
  [edited, '2026-05-01T18:00:00.123Z', null],
  [edited, '2026-05-01T20:00:00.123+02:00', null],
  [edited, '2026-05-01T18:00:00.124Z', 'update.stale'],
  [edited, null, 'update.stale'],
  [edited, 'yesterday', 'request.invalid'],
])('an update edited at %s is, for a caller who expects %s, %s', (updatedAt, expected, code) => {
  expect(codeOf(() => checkNotStale({ updatedAt }, expected))).toBe(code)
})

test.each([
  ['pending', 'update.delivery_active'],
  ['sending', 'update.delivery_active'],
  ['delivered', null],
  ['failed', null],
  ['removing', null],
  ['removal_failed', null],
] as const)('while its delivery is %s, changing an update is %s', (status, code) => {
  expect(codeOf(() => checkNotActive({ status } as Delivery))).toBe(code)
})

describe('the chat is there', () => {
  const api = 'https://discord.com/api/v10'

  test.each([
    ['with a webhook on the platform', 'https://discord.com/api/webhooks/1/secret', true],
    ['not without one', null, false],
    ['not where the platform has moved', 'https://chat.example/api/webhooks/1/secret', false],
  ])('%s', (_what, chatWebhookUrl, whether) => {
    expect(isChatAvailable({ chatWebhookUrl }, api)).toBe(whether)
  })
})
