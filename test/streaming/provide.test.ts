import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { provideStreaming, type StreamingMachine } from './provide.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'downbeat-provide-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const inRoot = (...names: readonly string[]) => path.join(root, ...names)

async function program(file: string, script: string): Promise<string> {
  await mkdir(path.dirname(inRoot(file)), { recursive: true })
  await writeFile(inRoot(file), `#!/bin/sh\n${script}\n`)
  await chmod(inRoot(file), 0o755)
  return inRoot(file)
}

/** A machine with only the programs of the test. Programs in its variables come first. */
function machine(more: { readonly nginx?: string; readonly ffmpeg?: string; readonly isRoot?: boolean } = {}) {
  const { nginx = inRoot('bin/nginx'), ffmpeg, isRoot = false } = more
  const env = { PATH: inRoot('bin'), ...(more.nginx === undefined ? {} : { NGINX_PATH: nginx }) }
  return {
    env: { ...env, ...(ffmpeg === undefined ? {} : { FFMPEG_PATH: ffmpeg }) },
    isRoot,
    policyFile: inRoot('policy-rc.d'),
    rtmpModule: inRoot('rtmp.so'),
    systemNginx: inRoot('sbin/nginx'),
  } satisfies StreamingMachine
}

/** Accepts RTMP when the configuration loads the module. */
const withModule =
  'while [ "$1" != -c ]; do shift; done; case "$(/bin/cat "$2")" in *load_module*) exit 0;; esac; exit 1'

test('what is installed is taken, with the module or with one that is built in', async () => {
  await program('bin/ffmpeg', 'exit 0')
  await program('bin/nginx', withModule)
  expect(await provideStreaming(machine())).toEqual({ nginx: 'nginx', rtmpModule: inRoot('rtmp.so'), ffmpeg: 'ffmpeg' })
  const own = await program('own/nginx', 'exit 0')
  expect(await provideStreaming(machine({ nginx: own }))).toEqual({ nginx: own, rtmpModule: null, ffmpeg: 'ffmpeg' })
})

test('what a variable names is not passed over when it is wrong', async () => {
  await program('bin/ffmpeg', 'exit 0')
  await program('bin/nginx', 'exit 0')
  const wrong = inRoot('own/nothing')
  await expect(provideStreaming(machine({ nginx: wrong }))).rejects.toThrow(`NGINX_PATH is ${wrong}, which is not`)
  await expect(provideStreaming(machine({ ffmpeg: wrong }))).rejects.toThrow(`FFMPEG_PATH is ${wrong}, which is not`)
})

const onLinux = test.runIf(process.platform === 'linux')

onLinux('root gets Debian’s, once for all who ask, and no service is started meanwhile', async () => {
  await program(
    'bin/apt-get',
    `echo "$* $(${inRoot('policy-rc.d')}; echo $?)" >> ${inRoot('calls')}
    printf '#!/bin/sh\\n' > ${inRoot('bin/ffmpeg')}; printf '#!/bin/sh\\n' > ${inRoot('bin/nginx')}
    /bin/chmod +x ${inRoot('bin/ffmpeg')} ${inRoot('bin/nginx')}`,
  )
  const asked = Array.from({ length: 3 }, () => provideStreaming(machine({ isRoot: true })))
  expect(await Promise.all(asked)).toEqual(Array(3).fill({ nginx: 'nginx', rtmpModule: null, ffmpeg: 'ffmpeg' }))
  expect((await readFile(inRoot('calls'), 'utf8')).trim()).toMatch(
    / install --yes --no-install-recommends nginx-core libnginx-mod-rtmp ffmpeg 101$/,
  )
  expect(await readdir(root)).not.toContain('policy-rc.d')
})

onLinux('a rule about services that somebody else has made stays', async () => {
  const rule = await program('policy-rc.d', 'exit 0')
  await program('bin/apt-get', 'echo E: No such package >&2; exit 100')
  await expect(provideStreaming(machine({ isRoot: true }))).rejects.toThrow('No such package')
  expect(await readFile(rule, 'utf8')).toContain('exit 0')
})

test('where they cannot be had, one sentence says so and what to do', async () => {
  await program('bin/ffmpeg', 'exit 0')
  await expect(provideStreaming(machine())).rejects.toThrow(
    'The tests need nginx with its RTMP module and ffmpeg, and they are not all on this machine (only root could install Debian’s): install nginx-core, libnginx-mod-rtmp, ffmpeg, or let NGINX_PATH and FFMPEG_PATH name others.',
  )
})
