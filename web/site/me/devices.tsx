import type { PushDevice, PushDevices } from '../data/generated.ts'
import { canPush, ownSubscription, unsubscribe } from '../data/push.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { Failure, Loaded } from '../parts/loaded.tsx'
import { devicesAddress, replaced, SwitchOn, useOwnDevice } from '../parts/push-offer.tsx'
import { Section } from '../parts/section.tsx'
import { State } from '../parts/state.tsx'
import { ownZone } from '../parts/time.tsx'
import styles from './devices.module.css'

/** Messages to this device, and to the reader's others: which kinds, and when not. (W24) */

export function Devices() {
  const read = useRead(devicesAddress)
  const { own, renew } = useOwnDevice()
  return (
    <Section title={words('devices.title')}>
      <Loaded of={read} rows={3}>
        {(found) => (
          <>
            <p className={`muted ${styles.text}`}>{words('devices.text')}</p>
            {!found.devices.some(({ endpointDigest }) => endpointDigest === own) && (
              <Offer of={found} noteOwn={renew} />
            )}
            <ul className="lines">
              {found.devices.map((device) => (
                <Device key={device.guid} device={device} isOwn={device.endpointDigest === own} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Section>
  )
}

function Offer({ of, noteOwn }: { readonly of: PushDevices; readonly noteOwn: () => void }) {
  if (!canPush) return <p className="notice">{words('devices.impossible')}</p>
  return (
    <div className={styles.text}>
      <SwitchOn of={of} noteOwn={noteOwn}>
        {words('devices.on')}
      </SwitchOn>
    </div>
  )
}

const kinds = [
  ...(['match_called', 'match_starting', 'opponent_ready', 'result_to_confirm'] as const),
  ...(['invitation', 'duty', 'sheet_closing', 'roster_problem'] as const),
]

function Device({ device, isOwn }: { readonly device: PushDevice; readonly isOwn: boolean }) {
  const { guid, name, service, quietHours } = device
  const remove = useWrite('DELETE /users/@me/pushDevices/{pushDevice}', (known) => {
    known.change(devicesAddress, (list) => ({ ...list, devices: list.devices.filter((each) => each.guid !== guid) }))
  })
  const end = async () => {
    if ((await remove.send({ params: { pushDevice: guid } })) && isOwn) await unsubscribe()
  }
  return (
    <li className={styles.device}>
      <div>
        <p className="strong">
          <bdi>{name ?? service}</bdi> {isOwn && <State shape="ready">{words('devices.this')}</State>}
        </p>
        {isOwn ? (
          <Choices device={device} />
        ) : (
          <p className="small muted">
            {quietHours !== null && words('devices.quiet-is', { from: quietHours.from, to: quietHours.to })}
          </p>
        )}
      </div>
      <button type="button" className="btn" aria-disabled={remove.isSending} onClick={() => void end()}>
        {words('devices.off')}
        <span className="unseen"> {name}</span>
      </button>
      {remove.error && <Failure error={remove.error} again={() => void end()} isTrying={remove.isSending} />}
    </li>
  )
}

/** The kinds of messages to this device, and its quiet hours; only it knows its endpoint, so others cannot be changed from here. */
function Choices({ device: { kinds: chosen, quietHours } }: { readonly device: PushDevice }) {
  const save = useWrite('POST /users/@me/pushDevices', (known, saved) =>
    known.change(devicesAddress, (list) => replaced(list, saved)),
  )
  const change = async (body: Partial<Pick<PushDevice, 'kinds' | 'quietHours'>>) => {
    const subscription = await ownSubscription()
    if (subscription !== null) await save.send({ params: {}, body: { ...subscription, ...body } })
  }
  const quiet = quietHours ?? { from: '22:00', to: '08:00', timezone: ownZone }
  return (
    <>
      <fieldset className={styles.kinds}>
        <legend className="small muted">{words('devices.kinds')}</legend>
        {kinds.map((kind) => (
          <label key={kind} className="choice">
            <input
              type="checkbox"
              checked={chosen[kind]}
              aria-disabled={save.isSending}
              onChange={({ target }) => void change({ kinds: { ...chosen, [kind]: target.checked } })}
            />
            {words(`push.${kind}`)}
          </label>
        ))}
      </fieldset>
      <fieldset className={styles.quiet}>
        <legend className="unseen">{words('devices.quiet')}</legend>
        <label className="choice">
          <input
            type="checkbox"
            checked={quietHours !== null}
            aria-disabled={save.isSending}
            onChange={({ target }) => void change({ quietHours: target.checked ? quiet : null })}
          />
          {words('devices.quiet')}
        </label>
        {quietHours !== null &&
          (['from', 'to'] as const).map((end) => (
            <label key={end} className="choice">
              {words(`devices.${end}`)}
              <input
                className="in"
                type="time"
                value={quietHours[end]}
                readOnly={save.isSending}
                onChange={({ target }) =>
                  target.value !== '' && void change({ quietHours: { ...quietHours, [end]: target.value } })
                }
              />
            </label>
          ))}
      </fieldset>
      {save.error && <Failure error={save.error} again={save.again} isTrying={save.isSending} />}
    </>
  )
}
