import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const address = (file: string) => JSON.stringify(new URL(file, import.meta.url))

/**
 * Prints which modules of the S3 library the service loads when it opens its own storage, and when it opens an S3
 * storage.
 */
const program = `
  import { registerHooks } from 'node:module'
  const loaded = new Set()
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier.startsWith('@aws-sdk/')) loaded.add(specifier)
      return next(specifier, context)
    },
  })
  const [here, elsewhere] = JSON.parse(process.argv[1])
  await import(${address('./app.ts')})
  const { openStorage } = await import(${address('./media-storage.ts')})
  await openStorage(here)
  const before = [...loaded]
  await openStorage(elsewhere)
  console.log(JSON.stringify([before, [...loaded].includes('@aws-sdk/client-s3')]))
`

test('the library for S3 is loaded where it is configured, and nowhere else', () => {
  const s3 = {
    MEDIA_S3_ENDPOINT: 'http://127.0.0.1:1',
    MEDIA_S3_REGION: 'nowhere',
    MEDIA_S3_BUCKET: 'media',
    MEDIA_S3_ACCESS_KEY_ID: 'key',
    MEDIA_S3_SECRET_ACCESS_KEY: 'secret',
  }
  const [here, elsewhere] = [{}, s3].map((env) => {
    const { dataDir, media } = readConfig(env)
    return { dataDir, media }
  })
  const resolve = new URL('../bin/resolve.js', import.meta.url).href
  const args = ['--import', resolve, '--input-type=module', '-e', program, JSON.stringify([here, elsewhere])]
  const told = execFileSync(process.execPath, args, { encoding: 'utf8' })
  expect(JSON.parse(told)).toEqual([[], true])
})
