import { expect, test } from 'vitest'
import type { TreeStream } from '../../src/engine/scenes/tree.ts'
import { playThrough, type Step, stepsOf } from '../overlay/play/chain.ts'

/** The order in which the ways of a stream are tried. (OV19) */

const all: TreeStream = {
  live: true,
  whep: 'https://play.example/whep',
  llhls: 'https://play.example/ll.m3u8',
  hls: 'https://play.example/index.m3u8',
  embed: 'https://frames.example/?channel=a',
}

test.each([
  ['the preferred one first', all, 'hls', ['hls', 'whep', 'llhls', 'embed']],
  ['what there is no address for is left out', { ...all, llhls: null, whep: null }, 'whep', ['hls', 'embed']],
  ['who does not publish here may be seen elsewhere', { ...all, live: false }, 'whep', ['embed']],
  ['who is not live is seen nowhere', { ...all, live: false, embed: null }, 'whep', []],
  [
    'what is no address of the web is left out',
    { ...all, whep: 'javascript:alert(1)', hls: '/x' },
    'whep',
    ['llhls', 'embed'],
  ],
  ['nobody', null, 'whep', []],
] as const)('ways: %s', (_, stream, prefer, expected) => {
  expect(stepsOf(stream, prefer).map(({ way }) => way)).toEqual(expected)
})

/** @param answers the results of the tries, in order; the last result repeats for ever */
async function played(steps: readonly Step[], answers: readonly ('fails' | 'plays' | 'is lost')[], most: number) {
  const told: string[] = []
  const ending = new AbortController()
  let tries = 0
  const note = (words: string) => {
    told.push(words)
    if (told.length >= most) ending.abort()
  }
  await playThrough(
    steps,
    {
      async open({ way }) {
        const answer = answers[Math.min(tries++, answers.length - 1)]
        note(`${way} ${answer}`)
        if (answer === 'fails') throw new Error('no')
        const lost =
          answer === 'is lost'
            ? Promise.resolve()
            : new Promise<void>((resolve) => ending.signal.addEventListener('abort', () => resolve()))
        return { lost }
      },
      onNothing: () => note('nothing'),
      wait: async (ms) => note(`wait ${ms}`),
    },
    ending.signal,
  )
  return told
}

const two = stepsOf({ ...all, llhls: null, embed: null }, 'whep')

test('three tries with 1, 2 and 4 s, then the next way, and all again after 30 s', async () => {
  const round = (way: string) => [`${way} fails`, 'wait 1000', `${way} fails`, 'wait 2000', `${way} fails`, 'wait 4000']
  expect(await played(two, ['fails'], 16)).toEqual([
    ...[...round('whep'), ...round('hls'), 'nothing', 'wait 30000', 'whep fails', 'wait 1000'],
  ])
})

test('what is lost is tried from the best way on', async () => {
  expect(await played(two, ['fails', 'fails', 'fails', 'is lost', 'is lost', 'fails'], 12)).toEqual([
    ...['whep fails', 'wait 1000', 'whep fails', 'wait 2000', 'whep fails', 'wait 4000'],
    ...['hls is lost', 'wait 1000', 'whep is lost', 'wait 1000', 'whep fails', 'wait 1000'],
  ])
})
