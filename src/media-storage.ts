import path from 'node:path'
import type { Config } from './config.ts'
import { FileStorage } from './infra/storage/files.ts'
import { dyingAt } from './infra/storage/steps.ts'
import type { Storage } from './infra/storage/storage.ts'

/** Opens the configured media storage; the S3 client is loaded only if S3 is configured. (M11, M15) */
export async function openStorage({ dataDir, media }: Pick<Config, 'dataDir' | 'media'>): Promise<Storage> {
  const folder = path.join(dataDir, 'media')
  if (media.s3 === null) return new FileStorage(folder, { onStep: dyingAt(media.diesAfter) })
  const { S3Storage } = await import('./infra/storage/s3.ts')
  return new S3Storage(media.s3)
}
