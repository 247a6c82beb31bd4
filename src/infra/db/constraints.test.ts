import pg from 'pg'
import { expect, test } from 'vitest'
import { conflict } from '../../core/problem.ts'
import { problemOf } from './constraints.ts'
import { databaseError } from './database.ts'

function violation(constraint: string | undefined): pg.DatabaseError {
  const error = new pg.DatabaseError('duplicate key', 1, 'error')
  error.code = '23505'
  error.constraint = constraint
  return error
}
const taken = conflict('thing.taken', 'The thing is taken.')
const constraints = { things_one_name: () => taken }

test('a violated constraint becomes the problem that its name stands for, however deep it is wrapped', () => {
  const error = violation('things_one_name')
  const wrapped = new Error('Failed query', { cause: new Error('again', { cause: error }) })
  for (const each of [error, wrapped]) expect(problemOf(each, constraints)).toBe(taken)
  expect(databaseError(wrapped)).toBe(error)
})

test('any other failure stays what it is', () => {
  const others = [violation('others_one_name'), violation(undefined), new Error('other'), 'text', null, undefined]
  for (const error of others) {
    expect(problemOf(error, constraints)).toBe(error)
  }
  expect(databaseError(new Error('other', { cause: 'text' }))).toBeUndefined()
})
