import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { newPassphrase, passphraseOf, type Terminal } from './passphrase.ts'

/** A terminal at which the keys are pressed as soon as something is asked. */
function terminal(...answers: readonly string[]) {
  const keys = [...answers]
  const shown: string[] = []
  const modes: boolean[] = []
  const input = Object.assign(new EventEmitter(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => modes.push(isRaw),
    resume: () => setImmediate(() => input.emit('data', Buffer.from(keys.shift() ?? '\u0003'))),
    pause() {},
  })
  const output = { write: (text: string) => shown.push(text) }
  return { terminal: { input, output } as unknown as Terminal, shown, modes }
}
const typed = { file: undefined, given: null }

test('a typed passphrase is not shown, can be corrected, and is asked for twice where it is new', async () => {
  const once = terminal('secret of manz\u007fy\r')
  expect(await passphraseOf(typed, once.terminal)).toBe('secret of many')
  expect([once.shown.join(''), once.modes]).toEqual(['Passphrase of the backup: \n', [true, false]])
  const twice = terminal('secret of many\r', 'secret of many\n')
  expect(await newPassphrase(typed, twice.terminal)).toBe('secret of many')
  await expect(newPassphrase(typed, terminal('secret of many\r', 'secret of men\r').terminal)).rejects.toThrow(
    'not the same',
  )
  await expect(newPassphrase(typed, terminal('secret\r').terminal)).rejects.toThrow('at least 12 characters')
})

test('Ctrl-C and the end of input end the question', async () => {
  for (const key of ['\u0003', '\u0004']) {
    const asked = terminal(`sec${key}`)
    await expect(passphraseOf(typed, asked.terminal)).rejects.toThrow('no passphrase was given')
    expect(asked.modes).toEqual([true, false])
  }
})

test('without a terminal the sources are named', async () => {
  const none = { input: { isTTY: false }, output: { write() {} } } as unknown as Terminal
  await expect(passphraseOf(typed, none)).rejects.toThrow('--passphrase-file, set BACKUP_PASSPHRASE')
  expect(await passphraseOf({ file: undefined, given: 'from the environment' }, none)).toBe('from the environment')
})
