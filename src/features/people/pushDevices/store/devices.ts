import { and, asc, eq, ne, type SQL, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { digestOf } from '../../../../infra/secrets.ts'
import type { DeviceSettings } from '../rules/devices.ts'
import { pushDevices } from '../tables.ts'
import type { PushDevice, QuietHours, Subscription } from '../types.ts'

export const quietHours: SQL<QuietHours | null> = sql`case when ${pushDevices.quietFrom} is not null then
  jsonb_build_object('from', ${pushDevices.quietFrom}, 'to', ${pushDevices.quietTo}, 'timezone', ${pushDevices.quietTimezone})
  end`

const { guid, userGuid, endpoint, p256dh, auth, name, mutedKinds, createdAt, updatedAt } = pushDevices
const columns = { guid, userGuid, endpoint, p256dh, auth, name, mutedKinds, quietHours, createdAt, updatedAt }

const ofUser = statement('push_devices.of_user', (orm) =>
  orm
    .select(columns)
    .from(pushDevices)
    .where(eq(pushDevices.userGuid, sql.placeholder('userGuid')))
    .orderBy(asc(pushDevices.createdAt), asc(pushDevices.guid)),
)

/** Lists a user's devices, oldest first; their number is limited. */
export async function listDevices(db: Db, user: string): Promise<PushDevice[]> {
  return ofUser(db, { userGuid: user })
}

type Settings = DeviceSettings & Pick<Subscription, 'p256dh' | 'auth'>

function valuesOf({ name: label, mutedKinds: muted, quietHours: quiet, ...keys }: Settings) {
  const [quietFrom, quietTo, quietTimezone] = [quiet?.from ?? null, quiet?.to ?? null, quiet?.timezone ?? null]
  return {
    p256dh: keys.p256dh,
    auth: keys.auth,
    name: label,
    mutedKinds: [...muted],
    quietFrom,
    quietTo,
    quietTimezone,
  }
}

/** Inserts a device. Returns undefined if the endpoint belongs to another user. */
export async function insertDevice(
  tx: Tx,
  device: Settings & { readonly userGuid: string; readonly endpoint: string },
  now: Date,
): Promise<PushDevice | undefined> {
  const { userGuid: user, endpoint: address } = device
  const values = {
    ...valuesOf(device),
    userGuid: user,
    endpoint: address,
    endpointDigest: digestOf(address),
    createdAt: now,
    updatedAt: now,
  }
  const [row] = await tx.session.orm.insert(pushDevices).values(values).onConflictDoNothing().returning(columns)
  return row
}

/** Changes a device. Returns undefined if it is gone: another user may have taken it over. */
export async function updateDevice(
  tx: Tx,
  device: string,
  settings: Settings,
  now: Date,
): Promise<PushDevice | undefined> {
  const [row] = await tx.session.orm
    .update(pushDevices)
    .set({ ...valuesOf(settings), updatedAt: now })
    .where(eq(guid, device))
    .returning(columns)
  return row
}

/** Deletes one of the user's devices. Returns whether there was one. */
export async function deleteDevice(tx: Tx, user: string, device: string): Promise<boolean> {
  const { rowCount } = await tx.session.orm.delete(pushDevices).where(and(eq(guid, device), eq(userGuid, user)))
  return rowCount === 1
}

/** Deletes the device of another user that has the same subscription. */
export async function deleteDeviceOfOthers(
  tx: Tx,
  user: string,
  subscription: Subscription,
): Promise<Pick<PushDevice, 'guid' | 'userGuid'> | undefined> {
  const [row] = await tx.session.orm
    .delete(pushDevices)
    .where(
      and(
        eq(pushDevices.endpointDigest, digestOf(subscription.endpoint)),
        eq(auth, subscription.auth),
        ne(userGuid, user),
      ),
    )
    .returning({ guid, userGuid })
  return row
}

export async function deleteAllDevices(tx: Tx): Promise<Pick<PushDevice, 'guid' | 'userGuid'>[]> {
  return tx.session.orm.delete(pushDevices).returning({ guid, userGuid })
}
