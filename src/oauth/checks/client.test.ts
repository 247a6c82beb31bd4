import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { problemOf } from '../../../test/problems.ts'
import { digestOf } from '../../infra/secrets.ts'
import type { Client } from '../types.ts'
import { checkClientAuthenticated, checkClientConfidential, checkClientKnown, checkOneMethod } from './client.ts'

const clientId = '0f0e0d0c-1111-4222-8333-444455556666'
const base: Omit<Client, 'type' | 'secretHash'> = {
  clientId,
  ownerGuid: clientId,
  name: 'Overlay Editor',
  imageUrl: null,
  scopes: ['rest:read'],
  redirectUris: ['https://client.example/callback'],
  createdAt: new Date(0),
  updatedAt: new Date(0),
}
const confidential: Client = { ...base, type: 'confidential', secretHash: digestOf('the secret') }
const open: Client = { ...base, type: 'public', secretHash: null }

const outcome = (work: () => unknown) => {
  const problem = problemOf(work)
  return problem === null ? null : [problem.kind, problem.data?.error, problem.headers['www-authenticate']]
}
const unauthenticated = ['unauthenticated', 'invalid_client', 'Basic realm="Downbeat", charset="UTF-8"']
const parameters = (members: Record<string, string>) => new URLSearchParams(members)
const encoded = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

describe('RFC 6749 §2.3.1: checkOneMethod', () => {
  const known: [string, string | undefined, Record<string, string>, string, string | null][] = [
    ['Basic', encoded('id:secret'), {}, 'id', 'secret'],
    ['Basic beside the same id', encoded('id:secret'), { client_id: 'id' }, 'id', 'secret'],
    ['the id alone', undefined, { client_id: 'id' }, 'id', null],
    ['the id and an empty secret', undefined, { client_id: 'id', client_secret: '' }, 'id', null],
    ['an empty secret by Basic, which is one', encoded('id:'), {}, 'id', ''],
    ['escapes', encoded('%69%64:s%2Be%25%3Acret'), {}, 'id', 's+e%:cret'],
    ['a plus sign, which is a space', encoded('id:a+b%2B'), {}, 'id', 'a b+'],
    ['letters beyond ASCII', encoded('id:%C3%A9é'), {}, 'id', 'éé'],
    ['a scheme in capitals', encoded('id:secret').replace('Basic', 'BASIC'), {}, 'id', 'secret'],
  ]
  test.each(known)('reads %s', (_what, authorization, members, id, secret) => {
    expect(checkOneMethod(authorization, parameters(members))).toEqual({ clientId: id, secret })
  })

  const refused: [string, string | undefined, Record<string, string>][] = [
    ['nothing at all', undefined, {}],
    ['an empty id', undefined, { client_id: '' }],
    ['a secret among the parameters', undefined, { client_id: 'id', client_secret: 'secret' }],
    ['a secret in both places', encoded('id:secret'), { client_secret: 'secret' }],
    ['an empty header', '', { client_id: 'id' }],
    ['another scheme beside the id', 'Bearer abc', { client_id: 'id' }],
    ['no colon', encoded('id'), { client_id: 'id' }],
    ['no id', encoded(':secret'), {}],
    ['three parts', encoded('id:secret:more'), {}],
    ['broken escapes in the secret', encoded('id:%zz'), {}],
    ['broken escapes in the id', encoded('%:secret'), {}],
    ['escapes that are not UTF-8', encoded('id:%ff'), {}],
    ['white space within', 'Basic aWQ6 c2VjcmV0', {}],
    ['line ends', `${encoded('id:secret')}\n`, {}],
  ]
  test.each(refused)('refuses %s', (_what, authorization, members) => {
    expect(outcome(() => checkOneMethod(authorization, parameters(members)))).toEqual(unauthenticated)
  })

  test('refuses two names', () => {
    const work = () => checkOneMethod(encoded('id:secret'), parameters({ client_id: 'other' }))
    expect(outcome(work)).toEqual(['invalid', 'invalid_request', undefined])
  })

  test('reads whatever a client encodes as the RFC says, and fails in no other way than by refusing', () => {
    const form = (text: string) => new URLSearchParams({ x: text }).toString().slice(2)
    const text = fc.string({ unit: 'grapheme', minLength: 1 })
    fc.assert(
      fc.property(text, fc.string({ unit: 'grapheme' }), (id, secret) => {
        const read = checkOneMethod(encoded(`${form(id)}:${form(secret)}`), parameters({}))
        expect(read).toEqual({ clientId: id, secret })
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (header) => {
        const answer = outcome(() => checkOneMethod(header, parameters({})))
        expect([null, 'unauthenticated']).toContain(answer?.[0] ?? null)
      }),
    )
  })
})

describe('RFC 6749 §3.2.1: checkClientAuthenticated', () => {
  const cases: [string, Client | undefined, string | null, boolean][] = [
    ['a confidential client with its secret', confidential, 'the secret', true],
    ['a confidential client with another', confidential, 'the secret ', false],
    ['a confidential client with an empty one', confidential, '', false],
    ['a confidential client without', confidential, null, false],
    ['a confidential client with the hash', confidential, digestOf('the secret').toString('hex'), false],
    ['a public client without', open, null, true],
    ['a public client with an empty one', open, '', false],
    ['a public client with one', open, 'the secret', false],
    ['nobody without', undefined, null, false],
    ['nobody with an empty one', undefined, '', false],
    ['nobody with one', undefined, 'the secret', false],
  ]
  test.each(cases)('%s', (_what, client, secret, expected) => {
    const work = () => checkClientAuthenticated(client, { clientId, secret })
    if (expected) expect(work()).toBe(client)
    else expect(outcome(work)).toEqual(unauthenticated)
  })

  test('says the same of all', () => {
    const told = cases
      .filter(([, , , expected]) => !expected)
      .map(([, client, secret]) => problemOf(() => checkClientAuthenticated(client, { clientId, secret })))
    expect(new Set(told.map((problem) => `${problem?.code} ${problem?.message}`)).size).toBe(1)
  })
})

test('RFC 6749 §4.1.2.1: checkClientKnown tells no client from one that does not exist', () => {
  expect(checkClientKnown(open)).toBe(open)
  expect(problemOf(() => checkClientKnown(undefined))?.code).toBe('client.unknown')
})

test('RFC 7662 §2.1: checkClientConfidential', () => {
  expect(outcome(() => checkClientConfidential(confidential))).toBeNull()
  expect(outcome(() => checkClientConfidential(open))).toEqual(unauthenticated)
})
