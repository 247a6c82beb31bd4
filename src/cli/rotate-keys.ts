import type { Config } from '../config.ts'
import { openKeyRing } from '../oauth/keys.ts'
import { accessTokenLifetime } from '../oauth/tokens.ts'
import { keyDirectory } from '../runtime.ts'

export async function rotateKeys(config: Config): Promise<void> {
  const keys = await openKeyRing(keyDirectory(config), accessTokenLifetime, new Date())
  const { kid } = await keys.rotate(new Date())
  console.log(
    `Every process on this data directory signs new tokens with key ${kid} within seconds; ${keys.all.length} keys verify.`,
  )
}
