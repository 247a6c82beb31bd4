import type { Config } from '../config.ts'
import { openKeyRing } from '../oauth/keys.ts'
import { accessTokenLifetime } from '../oauth/tokens.ts'
import { keyDirectory } from '../runtime.ts'

export async function rotateKeys(config: Config): Promise<void> {
  const keys = await openKeyRing(keyDirectory(config), accessTokenLifetime, new Date())
  const { kid } = await keys.rotate(new Date())
  console.log(
    `New tokens are signed with key ${kid} once the running processes are restarted; ${keys.all.length} keys verify.`,
  )
}
