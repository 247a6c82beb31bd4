import { expect, test } from 'vitest'
import { pathOf, playOf } from '../streamServers/rules/watching.ts'
import { embedUrl, userOfPath } from './rules.ts'

const guid = '4f0c6a0e-5d0b-4f5c-9a53-6f0f0e6f6f11'

test.each([
  [`live/${guid}`, guid],
  [`/live/${guid}`, guid],
  [`live/${guid.toUpperCase()}`, guid],
  [`live/${guid}/x`, null],
  [`other/${guid}`, null],
  ['live/sk-abc', null],
  ['', null],
])('%s is the path of %s', (path, user) => {
  expect(userOfPath(path)).toBe(user)
})

test('a path stands in the addresses of its server', () => {
  const play = { whep: 'https://w.example.org/{path}/whep', llhls: null, hls: 'https://h.example.org/{path}.m3u8' }
  expect(playOf(play, pathOf(guid))).toEqual({
    whep: `https://w.example.org/live/${guid}/whep`,
    llhls: null,
    hls: `https://h.example.org/live/${guid}.m3u8`,
  })
})

test('the name of a channel cannot leave its place in the address', () => {
  const url = new URL(embedUrl('quaver&parent=evil.example.org', 'https://cup.example.org:8443/api'))
  expect([url.host, [...url.searchParams]]).toEqual([
    'player.twitch.tv',
    [
      ['channel', 'quaver&parent=evil.example.org'],
      ['parent', 'cup.example.org'],
    ],
  ])
})
