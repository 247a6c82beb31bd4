import { readFile } from 'node:fs/promises'
import sharp from 'sharp'

/** What the service does with a photograph, by the library alone; as a process, it does so again and again. */
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
