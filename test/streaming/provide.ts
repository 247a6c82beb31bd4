import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { alone, type DebianMachine, installDebian, minute, withoutServices } from '../provide-debian.ts'

/** Provides the real media server and the encoder for tests: installed ones, else Debian's. */

export interface StreamingPrograms {
  readonly nginx: string
  /** Path of the RTMP module; null when it is built into the server. */
  readonly rtmpModule: string | null
  readonly ffmpeg: string
}

export interface StreamingMachine extends DebianMachine {
  /** The file that Debian checks before it starts an installed service. */
  readonly policyFile: string
  /** Debian's path of the module. */
  readonly rtmpModule: string
  /** Debian's path of the server, which is not in every PATH. */
  readonly systemNginx: string
}

export const thisStreamingMachine: StreamingMachine = {
  env: process.env,
  isRoot: process.getuid?.() === 0,
  policyFile: '/usr/sbin/policy-rc.d',
  rtmpModule: '/usr/lib/nginx/modules/ngx_rtmp_module.so',
  systemNginx: '/usr/sbin/nginx',
}

const packages = ['nginx-core', 'libnginx-mod-rtmp', 'ffmpeg']

/** The time limit in milliseconds when everything must be downloaded slowly. */
export const streamingProvisionMs = 8 * minute

/** @throws Error with one sentence that says what is missing, because the tests cannot run without it */
export async function provideStreaming(machine: StreamingMachine = thisStreamingMachine): Promise<StreamingPrograms> {
  return (await present(machine)) ?? alone(async () => (await present(machine)) ?? fetched(machine))
}

async function fetched(machine: StreamingMachine): Promise<StreamingPrograms> {
  const programs = await withoutServices(machine.policyFile, () => installDebian(machine, packages)).then(
    () => present(machine),
    (error: Error) => {
      throw missing(error.message)
    },
  )
  if (programs === null) throw missing('Debian’s were installed but do not start')
  return programs
}

function missing(why: string): Error {
  return new Error(
    `The tests need nginx with its RTMP module and ffmpeg, and they are not all on this machine (${why}): install ${packages.join(', ')}, or let NGINX_PATH and FFMPEG_PATH name others.`,
  )
}

async function present(machine: StreamingMachine): Promise<StreamingPrograms | null> {
  const ffmpeg = await named(machine, 'FFMPEG_PATH', ['ffmpeg'], (program) => runs(machine, program, ['-version']))
  let rtmpModule: string | null = null
  const nginx = await named(machine, 'NGINX_PATH', ['nginx', machine.systemNginx], async (program) => {
    for (const module of [null, machine.rtmpModule]) {
      rtmpModule = module
      if (await hasRtmp(machine, program, module)) return true
    }
    return false
  })
  return ffmpeg === null || nginx === null ? null : { nginx, rtmpModule, ffmpeg }
}

/**
 * The program that a variable names, else the first usable one of the usual programs.
 *
 * @throws Error when the program of the variable is not usable
 */
async function named(
  { env }: StreamingMachine,
  variable: 'NGINX_PATH' | 'FFMPEG_PATH',
  usual: readonly string[],
  isUsable: (program: string) => Promise<boolean>,
): Promise<string | null> {
  const given = env[variable]
  if (given !== undefined && given !== '') {
    if (await isUsable(given)) return given
    throw new Error(`${variable} is ${given}, which is not what the tests need.`)
  }
  for (const program of usual) if (await isUsable(program)) return program
  return null
}

async function runs({ env }: StreamingMachine, program: string, args: readonly string[]): Promise<boolean> {
  return promisify(execFile)(program, args, { env, timeout: minute / 2 }).then(
    () => true,
    () => false,
  )
}

/** Whether the server accepts a configuration with RTMP. */
async function hasRtmp(machine: StreamingMachine, nginx: string, module: string | null): Promise<boolean> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-nginx-'))
  try {
    const file = path.join(folder, 'nginx.conf')
    const load = module === null ? '' : `load_module ${module};`
    await writeFile(file, `${load} pid ${folder}/pid; error_log stderr; events {} rtmp { access_log off; }`)
    return await runs(machine, nginx, ['-t', '-q', '-e', 'stderr', '-p', folder, '-c', file])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
