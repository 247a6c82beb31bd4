import { expect, test } from 'vitest'
import { codeOf } from '../../../../test/problems.ts'
import { checkNameFree, hasFormOfViewToken, hourOf, nextLook, viewTokenOf } from './rules.ts'

const at = (text: string) => new Date(`2026-05-01T${text}Z`)

test.each([
  [`ovt_${'a'.repeat(43)}`, true],
  [`ovt_${'-_09azAZ'.repeat(5)}abc`, true],
  [`ovt_${'a'.repeat(42)}`, false],
  [`ovt_${'a'.repeat(44)}`, false],
  [`ovt_${'a'.repeat(42)}+`, false],
  [`OVT_${'a'.repeat(43)}`, false],
  [`ovt_${'a'.repeat(43)}\n`, false],
  ['ovt_', false],
])('%j has the form of a view token: %s', (token, expected) => {
  expect(hasFormOfViewToken(token)).toBe(expected)
})

test('what is made has that form', () => {
  expect(hasFormOfViewToken(viewTokenOf(Buffer.alloc(32, 255).toString('base64url')))).toBe(true)
})

test.each([
  ['18:00:00.000', '18:00:00.000'],
  ['18:59:59.999', '18:00:00.000'],
  ['19:00:00.001', '19:00:00.000'],
])('a use at %s is noted as of %s', (used, noted) => {
  expect(hourOf(at(used))).toEqual(at(noted))
})

test.each([
  ['18:00:00.000', '18:00:02.000'],
  ['17:59:45.001', '18:00:02.000'],
  ['17:59:45.000', null],
  ['12:00:00.000', null],
])('of a draft that was edited at %s one looks again, at 18:00:00, at %s', (edited, next) => {
  expect(nextLook(at(edited), at('18:00:00.000'))).toEqual(next === null ? null : at(next))
})

test.each([
  ['Main', ['Other'], null],
  ['Stage', ['STAGE'], 'overlay.name_taken'],
  // Within one tournament, letters of another script count as different letters. (D73)
  ['\u0405tage', ['Other', 'Stage'], null],
  ['Ab\u180Ec', ['Abc'], 'overlay.name_taken'],
])('the name %j beside %j: %s', (name, others, expected) => {
  expect(codeOf(() => checkNameFree(name, others))).toBe(expected)
})
