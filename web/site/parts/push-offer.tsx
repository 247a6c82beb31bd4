import { type ReactNode, useEffect, useState } from 'react'
import { address } from '../data/api.ts'
import type { PushDevice, PushDevices } from '../data/generated.ts'
import { canPush, ownDigest, subscribe } from '../data/push.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { Failure } from './loaded.tsx'

/** Messages to this device, offered where they help; the browser is asked when the reader wants them. (W24) */

export const devicesAddress = address('/users/@me/pushDevices', {})

/** By which the service knows this browser; undefined until that is known, null where it gets no messages. */
export function useOwnDevice() {
  const [own, setOwn] = useState<string | null | undefined>(canPush ? undefined : null)
  const renew = () => void ownDigest().then(setOwn, () => setOwn(null))
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (canPush) renew()
  }, [])
  return { own, renew }
}

export function replaced(list: PushDevices, saved: PushDevice): PushDevices {
  const others = list.devices.filter(({ guid }) => guid !== saved.guid)
  return { ...list, devices: [saved, ...others] }
}

/** Nothing where this browser gets messages already, or cannot. */
export function PushOffer({ text }: { readonly text: string }) {
  const { own, renew } = useOwnDevice()
  const { data } = useRead(canPush ? devicesAddress : null)
  const [isNew, setNew] = useState(false)
  if (isNew) return <p role="status">{words('devices.is-on')}</p>
  if (!canPush || own === undefined || data === undefined) return null
  if (data.devices.some(({ endpointDigest }) => endpointDigest === own)) return null
  return (
    <SwitchOn
      of={data}
      noteOwn={() => {
        renew()
        setNew(true)
      }}
    >
      {text}
    </SwitchOn>
  )
}

export function SwitchOn({
  of,
  noteOwn,
  children,
}: {
  readonly of: PushDevices
  readonly noteOwn: () => void
  readonly children: ReactNode
}) {
  const [problem, setProblem] = useState<'refused' | 'failed' | null>(null)
  const [isAsking, setAsking] = useState(false)
  const save = useWrite('POST /users/@me/pushDevices', (known, saved) => {
    known.change(devicesAddress, (list) => replaced(list, saved))
    noteOwn()
  })
  const start = async () => {
    setAsking(true)
    const subscription = await subscribe(of.applicationServerKey).catch(() => undefined)
    setAsking(false)
    if (subscription === undefined) setProblem('failed')
    else if (subscription === null) setProblem('refused')
    else {
      setProblem(null)
      await save.send({ params: {}, body: { ...subscription, name: deviceName() } })
    }
  }
  const isBusy = save.isSending || isAsking
  return (
    <div className="stack">
      <div>
        <button type="button" className="btn" aria-disabled={isBusy} onClick={() => isBusy || void start()}>
          {children}
        </button>
      </div>
      {problem !== null && (
        <p className="notice notice-warning" role="alert">
          {words(problem === 'refused' ? 'devices.refused' : 'devices.failed')}
        </p>
      )}
      {save.error && <Failure error={save.error} again={() => void start()} isTrying={save.isSending} />}
    </div>
  )
}

function deviceName(): string {
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(navigator.userAgent)?.[1] ?? ''
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(navigator.userAgent)?.[1] ?? ''
  return [browser, system].filter((part) => part !== '').join(', ')
}
