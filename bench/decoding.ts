import { readFile } from 'node:fs/promises'
import sharp from 'sharp'

/**
 * Decodes a photograph like the service, with the library alone; run as a process, it repeats this until it is killed.
 */
export async function decode(photograph: Buffer): Promise<void> {
  await sharp(photograph, { failOn: 'warning' })
    .autoOrient()
    .resize(1920, 1920, { fit: 'inside' })
    .webp({ quality: 88 })
    .toBuffer()
}

if (import.meta.main) {
  sharp.concurrency(1)
  sharp.cache(false)
  const photograph = await readFile(process.argv[2] ?? '')
  console.log('begins')
  for (;;) await decode(photograph)
}
