import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Machine, provideChromium } from './provide.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'downbeat-chromium-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const inRoot = (...names: readonly string[]) => path.join(root, ...names)
const calls = async () => (await readFile(inRoot('calls'), 'utf8')).trim().split('\n')

async function program(file: string, script: string): Promise<void> {
  await mkdir(path.dirname(inRoot(file)), { recursive: true })
  await writeFile(inRoot(file), `#!/bin/sh\n${script}\n`)
  await chmod(inRoot(file), 0o755)
}

/** A machine with only the programs of the test. */
function machine(more: Partial<Machine> & { named?: string } = {}): Machine {
  const { named, ...rest } = more
  const env = { PATH: `${inRoot('a')}:${inRoot('b')}`, ...(named === undefined ? {} : { CHROMIUM_PATH: named }) }
  return { env, isRoot: false, cacheDir: inRoot('cache'), ...rest }
}

const executableOn = async (where: Machine) => (await provideChromium(where)).executable

test('what is installed is taken, and what has its name but does not start is not', async () => {
  await program('a/chromium', 'echo Install me first. >&2; exit 1')
  await program('b/google-chrome', 'exit 0')
  expect(await executableOn(machine())).toBe(inRoot('b/google-chrome'))
  await program('b/chromium', 'exit 0')
  expect(await executableOn(machine())).toBe(inRoot('b/chromium'))
})

test('CHROMIUM_PATH goes before all others, and is not passed over when it is wrong', async () => {
  await program('a/chromium', 'exit 0')
  await program('own/browser', 'exit 0')
  expect(await executableOn(machine({ named: inRoot('own/browser') }))).toBe(inRoot('own/browser'))
  await expect(provideChromium(machine({ named: inRoot('own/nothing') }))).rejects.toThrow(
    `CHROMIUM_PATH is ${inRoot('own/nothing')}, which is no Chromium that starts.`,
  )
})

const onLinux = test.runIf(process.platform === 'linux' && process.arch === 'x64')

onLinux('root gets Debian’s, once for all who ask, and its lists are fetched when it is not found', async () => {
  await program(
    'a/apt-get',
    `echo "$DEBIAN_FRONTEND $*" >> ${inRoot('calls')}
    case "$*" in
      *update) : > ${inRoot('updated')};;
      *) [ -f ${inRoot('updated')} ] || exit 100; printf '#!/bin/sh\\n' > ${inRoot('b/chromium')}; /bin/chmod +x ${inRoot('b/chromium')};;
    esac`,
  )
  await mkdir(inRoot('b'))
  const asked = Array.from({ length: 3 }, () => executableOn(machine({ isRoot: true })))
  expect(await Promise.all(asked)).toEqual(Array(3).fill(inRoot('b/chromium')))
  const install = expect.stringMatching(/^noninteractive .* install --yes --no-install-recommends chromium$/)
  expect(await calls()).toEqual([install, expect.stringMatching(/ update$/), install])
})

const npm = () => `echo "$*" >> ${inRoot('calls')}
  while [ "$1" != --prefix ]; do shift; done
  package="$2/node_modules/@sparticuz/chromium"
  /bin/mkdir -p "$package"
  echo '{ "type": "module", "exports": "./index.js" }' > "$package/package.json"
  echo "import fs from 'node:fs'
    const inflated = process.env.TMPDIR + '/chromium'
    export const inflate = (part) => {
      if (part === 'node_modules/@sparticuz/chromium/bin/chromium.br') fs.writeFileSync(inflated, '#!/bin/sh', { mode: 0o700 })
    }" > "$package/index.js"`

onLinux('whoever is not root gets the one out of npm, which is kept for the next time', async () => {
  await program('a/npm', npm())
  const { executable, env } = await provideChromium(machine())
  expect(executable).toBe(inRoot('cache/chromium-153.0.0/chromium'))
  expect(env.LD_LIBRARY_PATH).toBe(inRoot('cache/chromium-153.0.0/al2023/lib'))
  expect(await executableOn(machine())).toBe(executable)
  expect(await calls()).toEqual([expect.stringMatching(/^install --no-save .* @sparticuz\/chromium@153\.0\.0$/)])
  expect(await readdir(inRoot('cache'))).toEqual(['chromium-153.0.0'])
  expect((await readdir(inRoot('cache/chromium-153.0.0'))).sort()).toEqual(['chromium', 'fonts.conf'])
})

onLinux('so does root where Debian’s cannot be had', async () => {
  await program('a/apt-get', 'exit 100')
  await program('a/npm', npm())
  expect(await executableOn(machine({ isRoot: true }))).toBe(inRoot('cache/chromium-153.0.0/chromium'))
})

onLinux('where none can be had, one sentence says why and what to do', async () => {
  await program('a/apt-get', 'echo Reading lists; echo W: Old lists >&2; echo E: No such package >&2; exit 100')
  await program(
    'a/npm',
    'echo npm warn old >&2; echo npm error code ENOTFOUND >&2; echo npm error see the log >&2; exit 1',
  )
  await expect(provideChromium(machine({ isRoot: true }))).rejects.toThrow(
    'The tests need Chromium and there is none on this machine (Debian’s could not be installed: apt-get: E: No such package; @sparticuz/chromium could not be had from npm: npm: npm error code ENOTFOUND): install it, or let CHROMIUM_PATH name one.',
  )
  expect(await readdir(inRoot('cache'))).toEqual([])
})
