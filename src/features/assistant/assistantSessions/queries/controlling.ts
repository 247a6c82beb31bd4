import type { Db } from '../../../../infra/db/database.ts'
import { controllerOf } from '../rules/control.ts'
import { isStillController } from '../store/operators.ts'
import type { AssistantSession } from '../types.ts'

/**
 * Who has control now; null for nobody. Control ends with the right to it: at once, whether or not it was written down yet. (AS5, D76)
 */
export async function controllerNow(db: Db, session: AssistantSession, now: Date): Promise<string | null> {
  const held = controllerOf(session, now)
  return held !== null && (await isStillController(db, session)) ? held : null
}
