import { describe, expect, test } from 'vitest'
import { acceptedCoding } from './content-codings.ts'
import { matches } from './etag.ts'

describe('Accept-Encoding', () => {
  test.each<[header: string | undefined, coding: string | null, refusesPlain: boolean]>([
    [undefined, null, false],
    ['', null, false],
    ['gzip', 'gzip', false],
    ['x-gzip', 'gzip', false],
    ['br', 'br', false],
    ['gzip, deflate, br, zstd', 'br', false],
    ['BR;Q=0.5, GZip;q=0.8', 'gzip', false],
    ['gzip;q=1.0, br;q=1', 'br', false],
    ['gzip;q=0', null, false],
    ['gzip;q=0.000, br;q=0', null, false],
    ['deflate, zstd', null, false],
    ['*', 'br', false],
    ['*;q=0.1, br;q=0', 'gzip', false],
    ['*;q=0', null, true],
    ['identity', null, false],
    ['identity, gzip;q=0.5', null, false],
    ['identity;q=0.5, gzip;q=0.5', 'gzip', false],
    ['identity;q=0', null, true],
    ['identity;q=0, gzip', 'gzip', true],
    ['gzip, *;q=0', 'gzip', true],
    ['gzip;q=2', null, false],
    ['gzip;q=none', null, false],
    ['gzip ; q=0.3 ; x=y', 'gzip', false],
    [`${'x,'.repeat(40)}gzip`, null, false],
  ])('%j asks for %s', (header, coding, refusesPlain) => {
    for (let time = 0; time < 2; time++) expect(acceptedCoding(header)).toEqual({ coding, refusesPlain })
  })
})

describe('If-None-Match', () => {
  const tag = '"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'
  test.each([
    [tag, true],
    [`W/${tag}`, true],
    ['"2jmj7l5rSw0yVb_vlWAYkK_YBwk-br"', true],
    ['"2jmj7l5rSw0yVb_vlWAYkK_YBwk-gzip"', true],
    ['"other", W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk-gzip"', true],
    ['*', true],
    ['"2jmj7l5rSw0yVb_vlWAYkK_YBwk-zstd"', false],
    ['"2jmj7l5rSw0yVb_vlWAYkK_YBwk-br-br"', false],
    ['"other-br"', false],
    [undefined, false],
  ])('%s', (header, isMet) => {
    expect(matches(header, tag)).toBe(isMet)
  })
})
