import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { webhookHeaders } from './rules.ts'

const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
const body = '{"test": 2432232314}'
const now = new Date(1_614_265_330_999)

test('the example that the specification publishes is signed as it says (Standard Webhooks)', () => {
  expect(webhookHeaders({ id, body }, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', now)).toEqual({
    'webhook-id': id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('whatever the message and the key, receivers verify it with the library that the specification offers them', () => {
  const key = fc.uint8Array({ minLength: 1, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('base64'))
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string({ unit: 'binary' }), key, (id, body, key) => {
      const headers = webhookHeaders({ id, body }, `whsec_${key}`, new Date())
      const receiver = new Webhook(`whsec_${key}`)
      expect(() => receiver.verify(body, headers, { jsonParse: false })).not.toThrow()
      expect(() => receiver.verify(`${body} `, headers, { jsonParse: false })).toThrow('No matching signature')
    }),
  )
})

test('any other secret is taken as bytes (D34)', () => {
  const asBytes = webhookHeaders({ id, body }, 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', now)['webhook-signature']
  const sameBytes = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw').toString('base64')
  expect(asBytes).toBe(webhookHeaders({ id, body }, `whsec_${sameBytes}`, now)['webhook-signature'])
  expect(asBytes).not.toBe(
    webhookHeaders({ id, body }, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', now)['webhook-signature'],
  )
})

test('without a secret nothing is signed (D53)', () => {
  expect(Object.keys(webhookHeaders({ id, body }, null, now))).toEqual(['webhook-id', 'webhook-timestamp'])
})

test('the signature is of the whole message: id, time and every byte of the body', () => {
  const sign = (message: { id: string; body: string }, at = now) =>
    webhookHeaders(message, 'secret', at)['webhook-signature']
  const signatures = [
    sign({ id, body }),
    sign({ id: `${id}x`, body }),
    sign({ id, body: `${body} ` }),
    sign({ id, body: body.replace('4', 'ü') }),
    sign({ id, body }, new Date(now.getTime() + 1_000)),
  ]
  expect(new Set(signatures).size).toBe(signatures.length)
  expect(sign({ id, body }, new Date(now.getTime() - 500))).toBe(signatures[0])
})
