import type { Db } from '../../../../infra/db/database.ts'
import { controllerOf } from '../rules/control.ts'
import { isStillController } from '../store/operators.ts'
import type { AssistantSession } from '../types.ts'

/**
 * GUID of the present controller; null if nobody has control. Control ends with the right to it, even before that is
 * saved. (AS5, D76)
 */
export async function controllerNow(db: Db, session: AssistantSession, now: Date): Promise<string | null> {
  const held = controllerOf(session, now)
  return held !== null && (await isStillController(db, session)) ? held : null
}
