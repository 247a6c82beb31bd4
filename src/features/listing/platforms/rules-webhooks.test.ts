import { expect, test } from 'vitest'
import { chatWebhookFault, readChatWebhook } from './rules.ts'

/** Addresses of the chat platform as its own clients copy them. (D66) */

const usual = 'https://discord.com/api/v10'
const path = '/api/webhooks/123456789012345678/abcDEF_-ghiJKL'
const kept = `https://discord.com${path}`

test.each([
  [`https://discord.com${path}`, kept],
  [`https://ptb.discord.com${path}`, kept],
  [`https://canary.discord.com${path}`, kept],
  [`https://discordapp.com${path}`, kept],
  [`HTTPS://PTB.Discord.com:443${path}`, kept],
  [`https://discord.com${path}?thread_id=987654321098765432`, `${kept}?thread_id=987654321098765432`],
  [`https://canary.discord.com${path}?thread_id=1`, `${kept}?thread_id=1`],
  [`https://discordapp.com/api/v10/webhooks/1/abc`, 'https://discord.com/api/v10/webhooks/1/abc'],
])('%s is kept as %s, which stays so', (address, value) => {
  expect(readChatWebhook(address, usual)).toEqual({ ok: true, value })
  expect(readChatWebhook(value, usual)).toEqual({ ok: true, value })
  expect(chatWebhookFault(value, usual)).toBeNull()
  expect(readChatWebhook(address, 'https://discordapp.com/api')).toEqual(
    address.includes('/v10/') ? { ok: false, reason: expect.any(String) } : { ok: true, value },
  )
})

test.each([
  `http://discord.com${path}`,
  `https://discord.com:8443${path}`,
  `https://evil.discord.com${path}`,
  `https://discord.com.evil.example${path}`,
  `https://user@discord.com${path}`,
  `https://discord.com${path}?thread_id=`,
  `https://discord.com${path}?thread_id=1x`,
  `https://discord.com${path}?thread_id=1&wait=true`,
  `https://discord.com${path}?wait=true`,
  `https://discord.com${path}#a`,
  'https://discord.com/api/webhooks/1',
])('%s is none', (address) => {
  expect(readChatWebhook(address, usual).ok).toBe(false)
})

test('with another platform, its own host alone counts', () => {
  const own = 'https://chat.example.org/api'
  expect(readChatWebhook(`https://chat.example.org${path}?thread_id=1`, own).ok).toBe(true)
  expect(readChatWebhook(`https://discord.com${path}`, own).ok).toBe(false)
})
