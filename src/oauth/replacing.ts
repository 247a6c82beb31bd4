import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { syncFolder } from '../infra/storage/sync-folder.ts'
import { makeSealSecret, makeVapidSecret } from './keys.ts'

/**
 * The replacement of a secret file together with the records of the database that depend on it. The new secret is on disk under the name of its draft
 * before the database changes, and gets its name after the commit. A crash in between leaves the draft: no process starts
 * then, until the same command has ended the replacement.
 */

export type SecretName = 'seal.key' | 'vapid.key'

const draftEnd = '.next'
const makers: Readonly<Record<SecretName, () => Buffer>> = { 'seal.key': makeSealSecret, 'vapid.key': makeVapidSecret }
const commands: Readonly<Record<SecretName, string>> = {
  'seal.key': 'downbeat seal rotate-key',
  'vapid.key': 'downbeat push rotate-key',
}

/** @param names of the files of keys @throws Error while a secret is being replaced, or after that was interrupted */
export function checkNoReplacement(names: readonly string[]): void {
  for (const [name, command] of Object.entries(commands)) {
    if (names.includes(name + draftEnd))
      throw new Error(`${name} is being replaced, or that was interrupted: run ${command}, which ends it`)
  }
}

export interface Replacement {
  readonly old: Buffer
  readonly next: Buffer
  /** Gives the new secret its name; the old one is deleted by that. */
  end(): Promise<void>
  /** Deletes the new secret, unless an interrupted replacement left it: the database may know it already. */
  giveUp(): Promise<void>
}

/** Begins a replacement, or continues one that was interrupted. @throws Error without an old secret */
export async function beginReplacement(directory: string, name: SecretName): Promise<Replacement> {
  const old = await readSecret(directory, name)
  const file = path.join(directory, name)
  const draft = file + draftEnd
  const isNew = !(await isThere(draft))
  if (isNew) await writeWhole(draft, makers[name]())
  await syncFolder(directory)
  return {
    old,
    next: await readFile(draft),
    async end() {
      await rename(draft, file)
      await syncFolder(directory)
    },
    giveUp: async () => void (isNew && (await rm(draft))),
  }
}

/** @throws Error without one */
export function readSecret(directory: string, name: SecretName): Promise<Buffer> {
  return readFile(path.join(directory, name)).catch(() => {
    throw new Error(`there is no ${name} in ${directory}: set DATA_DIR as the service has it`)
  })
}

/** A file of this name is whole, also after a crash. */
async function writeWhole(file: string, bytes: Buffer): Promise<void> {
  const part = `${file}.${randomUUID()}`
  await writeFile(part, bytes, { mode: 0o600, flag: 'wx', flush: true })
  await rename(part, file)
}

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  )
