import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { anonymous, anyone, isSignedIn, policy, signedIn } from './actor.ts'
import { Answer, command, parametersOf, query, successStatus } from './operation.ts'

const read = query({
  name: 'things.read',
  method: 'GET',
  path: '/things/:thing/parts/:part',
  scope: 'public',
  allow: anyone,
  summary: 'A part.',
  reply: { 200: Type.Object({}) },
  run: () => ({}),
})

test('a record knows its parameters, in order', () => {
  expect(parametersOf(read.path)).toEqual(['thing', 'part'])
  expect(parametersOf('/things')).toEqual([])
  expect(parametersOf('/a:b/:cD/e')).toEqual(['b', 'cD'])
})

test('a record says whether it changes anything, and what it answers on success', () => {
  const create = command({
    name: 'things.create',
    method: 'POST',
    path: '/things',
    scope: 'rest:write',
    allow: signedIn,
    summary: 'Make a thing.',
    reply: { 201: Type.Object({}) },
    run: async () => new Answer(201, { body: {} }),
  })
  expect([read.kind, successStatus(read)]).toEqual(['query', 200])
  expect([create.kind, successStatus(create)]).toEqual(['command', 201])
})

test('an answer has no body, headers or cookies unless it is given some', () => {
  const { status, body, headers, cookies, contentType } = new Answer(204)
  expect([status, body, headers, cookies, contentType]).toEqual([204, undefined, {}, [], undefined])
})

test('nobody is allowed anything by default, and an anonymous actor holds nothing', () => {
  const someone = { ...anonymous, guid: '01234567-89ab-4cde-8f01-23456789abcd' }
  expect([isSignedIn(anonymous), isSignedIn(someone)]).toEqual([false, true])
  expect([signedIn.allows(anonymous, {}), signedIn.allows(someone, {})]).toEqual([false, true])
  expect([anyone.allows(anonymous, {}), anyone.open, signedIn.open]).toEqual([true, true, undefined])
  for (const held of [anonymous.globalRoles, anonymous.scopes, anonymous.roles]) expect(held.size).toBe(0)
  expect([anonymous.isOrganiser, anonymous.platformRole, anonymous.token]).toEqual([false, null, null])
})

test('a policy may tell whom it could ever let through', () => {
  const never = () => false
  expect(policy('nobody', never)).toEqual({ who: 'nobody', allows: never })
  expect(policy('nobody', never, never)).toEqual({ who: 'nobody', allows: never, mayEver: never })
})
