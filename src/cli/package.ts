import { openAsBlob } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../config.ts'
import { knownFrom } from '../core/packages/signatures.ts'
import { verifyPackage } from '../core/packages/verify.ts'
import { Problem } from '../core/problem.ts'
import { sha256Digest } from '../infra/packages/digest.ts'
import { knownOfSet, openPackageKeys } from '../infra/packages/keys.ts'
import { readSigners } from '../infra/packages/signers.ts'
import { packageKeyDirectory } from '../oauth/keys.ts'
import { keyDirectory } from '../runtime.ts'

type Place = Pick<Config, 'dataDir' | 'packageSigners'>

const broken = 1
const wholeByUnknown = 3

/** Prints one line; the exit code says the same. (P2) */
export async function verify(config: Place, file: string, keysFile: string | undefined): Promise<void> {
  const known = [...(await ownKeys(config)), ...(await readSigners(config.packageSigners)), ...(await setOf(keysFile))]
  const blob = await openAsBlob(file)
  try {
    const { manifest, signer } = await verifyPackage(blob, known, sha256Digest)
    const { tournament, variant } = manifest
    const what = `whole: “${tournament.name}” (${variant})`
    if (signer.state === 'known') {
      console.log(`${what}, signed by ${signer.name ?? 'a known key'} (${signer.kid})`)
      return
    }
    console.log(`${what}, ${signer.state === 'unknown' ? `signed by an unknown key (${signer.kid})` : 'not signed'}`)
    process.exitCode = wholeByUnknown
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    console.log(`broken: ${error.message} (${error.code})`)
    process.exitCode = broken
  }
}

export async function rotateKey(config: Config, revoke: boolean): Promise<void> {
  const keys = openPackageKeys(packageKeyDirectory(keyDirectory(config)))
  const { kid } = await keys.rotate(new Date(), revoke)
  console.log(`Packages are signed with key ${kid} from now on${revoke ? '; the key before is revoked' : ''}.`)
}

/** The keys of the service whose data directory is here; none where there is no service. */
async function ownKeys(config: Place) {
  const directory = packageKeyDirectory(keyDirectory(config))
  const isThere = await fs.stat(directory).then(
    () => true,
    () => false,
  )
  if (!isThere) return []
  return knownFrom(await openPackageKeys(directory).list(new Date()), 'this service')
}

async function setOf(file: string | undefined) {
  return file === undefined ? [] : knownOfSet(await fs.readFile(file, 'utf8'), path.basename(file))
}
