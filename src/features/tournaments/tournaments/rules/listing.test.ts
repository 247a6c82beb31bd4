import { describe, expect, test } from 'vitest'
import { codeOf } from '../../../../../test/problems.ts'
import { readSearch, readStatuses, readWindow } from './listing.ts'

describe('filters of the list', () => {
  test.each<[string | undefined, readonly string[] | undefined]>([
    [undefined, undefined],
    ['approved', ['approved']],
    ['completed, ongoing', ['completed', 'ongoing']],
    ['ongoing,ongoing', ['ongoing']],
    ['approved,ongoing,completed', undefined],
  ])('status %j asks for %j', (text, statuses) => {
    expect(readStatuses(text)).toEqual(statuses)
  })

  test.each(['draft', 'cancelled', 'approved,draft', 'Approved', '', ',', 'approved,', 'toString'])(
    'status %j is refused',
    (text) => {
      expect(codeOf(() => readStatuses(text))).toBe('tournament.status_not_listed')
    },
  )

  test.each<[string, string | null]>([
    ['cup', "'cup':*"],
    ['spring cup', "'spring' & 'cup':*"],
    ['  Spring-Cup_2026 ', "'Spring' & 'Cup' & '2026':*"],
    ["o'neill's", "'o' & 'neill' & 's':*"],
    ["'; drop table tournaments; --", "'drop' & 'table' & 'tournaments':*"],
    ['!(a | b) <-> c:*', "'a' & 'b' & 'c':*"],
    ['\\\0\u0001\u007f', null],
    ['&|!:*()<>\'"', null],
    ['Überfall 大会', "'Überfall' & '大会':*"],
    ['e\u0301te', "'éte':*"],
  ])('the search %j reads %j', (text, query) => {
    expect(readSearch(text)).toBe(query)
  })

  test('a window has its start before its end', () => {
    expect(readWindow(undefined, undefined)).toEqual({})
    expect(readWindow('2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')).toEqual({
      from: new Date('2026-01-01T00:00:00Z'),
      to: new Date('2026-01-01T00:00:00Z'),
    })
    expect(readWindow('1970-01-01T00:00:00Z', undefined).from).toBeUndefined()
    expect(codeOf(() => readWindow('2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z'))).toBe('tournament.window_invalid')
  })
})
