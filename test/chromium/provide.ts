import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { alone, type DebianMachine, installDebian, minute, run } from '../provide-debian.ts'

/** Provides Chromium for the tests: an installed one, else Debian's package, else one from npm. */

export interface Chromium {
  readonly executable: string
  /** The environment that it runs with. */
  readonly env: NodeJS.ProcessEnv
}

/** The properties of the machine that decide where Chromium comes from. */
export interface Machine extends DebianMachine {
  /** The folder for downloads from npm, kept for the next run. */
  readonly cacheDir: string
}

export const thisMachine: Machine = {
  env: process.env,
  isRoot: process.getuid?.() === 0,
  cacheDir: path.join(import.meta.dirname, '../../node_modules/.cache/downbeat'),
}

const carrier = { name: '@sparticuz/chromium', version: '153.0.0' }

/** The system's fonts, and the fonts next to this file for a system without any. */
const fonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts/fonts</dir>
</fontconfig>
`

/** The time limit in milliseconds when everything must be downloaded slowly. */
export const provisionMs = 12 * minute

/**
 * A Chromium that starts. Downloads are done by one process, while others wait for it.
 *
 * @throws Error with one sentence that says why there is none
 */
export async function provideChromium(machine: Machine = thisMachine): Promise<Chromium> {
  return (await present(machine)) ?? alone(async () => (await present(machine)) ?? fetched(machine))
}

async function present(machine: Machine): Promise<Chromium | null> {
  return (await installedChromium(machine)) ?? (await cachedChromium(machine))
}

async function fetched(machine: Machine): Promise<Chromium> {
  const faults: string[] = []
  for (const source of [debianChromium, carriedChromium]) {
    try {
      return await source(machine)
    } catch (error) {
      faults.push((error as Error).message)
    }
  }
  throw new Error(
    `The tests need Chromium and there is none on this machine (${faults.join('; ')}): install it, or let CHROMIUM_PATH name one.`,
  )
}

async function installedChromium({ env }: Machine): Promise<Chromium | null> {
  const { CHROMIUM_PATH: named, PATH = '' } = env
  if (named !== undefined && named !== '') {
    const chromium = { executable: named, env }
    if (await starts(chromium)) return chromium
    throw new Error(`CHROMIUM_PATH is ${named}, which is no Chromium that starts.`)
  }
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    for (const folder of PATH.split(path.delimiter).filter(path.isAbsolute)) {
      const chromium = { executable: path.join(folder, name), env }
      if (await starts(chromium)) return chromium
    }
  }
  return null
}

/** On some systems the program of this name only explains how to install the browser. */
async function starts({ executable, env }: Chromium): Promise<boolean> {
  return run(executable, ['--version'], { env, timeout: minute / 2 }).then(
    () => true,
    () => false,
  )
}

async function debianChromium(machine: Machine): Promise<Chromium> {
  await installDebian(machine, ['chromium'])
  const chromium = await installedChromium(machine)
  if (chromium === null) throw new Error('Debian’s was installed but does not start')
  return chromium
}

/** The browser, and parts that a small system may lack. */
const parts = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']

/** Downloaded from npm only when needed: 70 MB that unpack to 210 MB. */
async function carriedChromium(machine: Machine): Promise<Chromium> {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('npm has one for Linux on x64 alone')
  const folder = carriedFolder(machine)
  const unfinished = `${folder}.unfinished`
  try {
    // An interrupted run may have left a folder that looks complete.
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(unfinished, { recursive: true })
    await unpackInto(unfinished, machine.env)
    await rm(folder, { recursive: true, force: true })
    await rename(unfinished, folder)
  } catch (error) {
    throw new Error(`${carrier.name} could not be had from npm: ${(error as Error).message}`)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  const chromium = await cachedChromium(machine)
  if (chromium === null) throw new Error(`that of ${carrier.name} does not start`)
  return chromium
}

async function unpackInto(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { name, version } = carrier
  const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder]
  await run('npm', ['install', ...options, `${name}@${version}`], { env, timeout: 4 * minute })
  // Does what the package itself does on its target machines; it unpacks to the folder of temporary files.
  const unpack = `import { inflate } from '${name}'
    await Promise.all(process.argv.slice(1).map((part) => inflate('node_modules/${name}/bin/' + part)))`
  const settings = { env: { ...env, TMPDIR: folder }, cwd: folder, timeout: minute }
  await run(process.execPath, ['--input-type=module', '--eval', unpack, ...parts], settings)
  await rm(path.join(folder, 'node_modules'), { recursive: true })
  await writeFile(path.join(folder, 'fonts.conf'), fonts)
}

async function cachedChromium(machine: Machine): Promise<Chromium | null> {
  const folder = carriedFolder(machine)
  const chromium = {
    executable: path.join(folder, 'chromium'),
    env: {
      ...machine.env,
      LD_LIBRARY_PATH: path.join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
    },
  }
  return (await starts(chromium)) ? chromium : null
}

function carriedFolder({ cacheDir }: Machine): string {
  return path.join(cacheDir, `chromium-${carrier.version}`)
}
