import { describe, expect, test } from 'vitest'
import type { PlatformSettings } from '../platforms/types.ts'
import { channelsFor, type Replaced } from './rules.ts'

const address = 'https://night-league.example.org/hooks'
const nothing: PlatformSettings = {
  chatWebhookUrl: null,
  customWebhookUrl: null,
  customWebhookSecret: null,
  webhookEvents: [],
}
const custom: PlatformSettings = { ...nothing, customWebhookUrl: address, webhookEvents: ['member_added'] }
const both: PlatformSettings = { ...custom, chatWebhookUrl: 'https://chat.example.org/api/webhooks/1/token' }

describe('the channels that are told that a member was added, by what is set now and what that has replaced since:', () => {
  const cases: [string, PlatformSettings, Replaced | undefined, string[]][] = [
    ['nothing set, nothing changed', nothing, undefined, []],
    ['one channel, nothing changed', custom, undefined, ['custom']],
    ['both channels, nothing changed', both, undefined, ['chat', 'custom']],
    ['no channel, nothing changed', { ...nothing, webhookEvents: ['member_added'] }, undefined, []],
    ['another event, nothing changed', { ...both, webhookEvents: ['member_removed'] }, undefined, []],
    ['subscribed since', both, { webhookEvents: [] }, []],
    ['subscribed since, to something else before', both, { webhookEvents: ['member_removed'] }, []],
    [
      'subscribed to something else since',
      both,
      { webhookEvents: ['member_added', 'member_removed'] },
      ['chat', 'custom'],
    ],
    ['unsubscribed since', { ...both, webhookEvents: [] }, { webhookEvents: ['member_added'] }, ['chat', 'custom']],
    ['set up since', both, { customWebhookUrl: null }, ['chat']],
    ['all of it set up since', both, { chatWebhookUrl: null, customWebhookUrl: null, webhookEvents: [] }, []],
    ['moved since', both, { customWebhookUrl: 'configured' }, ['chat', 'custom']],
    ['removed since', { ...custom, customWebhookUrl: null }, { customWebhookUrl: 'configured' }, ['custom']],
    ['removed since, by somebody who was not subscribed', nothing, { customWebhookUrl: 'configured' }, []],
    ['exchanged for the other since', custom, { chatWebhookUrl: 'configured', customWebhookUrl: null }, ['chat']],
    ['another secret since', custom, { customWebhookSecret: null }, ['custom']],
  ]
  test.each(cases)('%s', (_what, settings, replaced, expectedChannels) => {
    expect(channelsFor('member_added', settings, replaced)).toEqual(expectedChannels)
  })
})
