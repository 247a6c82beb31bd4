import { copyFile, link } from 'node:fs/promises'
import type { Decoded } from '../../decoder/requests.ts'
import { objectFacts } from '../../delivery/headers.ts'
import { objectName, type Storage } from '../../storage/storage.ts'

export type Made = Pick<Decoded, 'bytes' | 'digest' | 'type'>

/** Stores a file as an object, through a link or a copy named `spare`. The file itself stays where it is. */
export async function storeObject(storage: Storage, made: Made, file: string, spare: string): Promise<void> {
  await link(file, spare).catch(() => copyFile(file, spare))
  await storage.put(objectName(made.digest), spare, objectFacts(made))
}
