import { useState } from 'react'
import { now } from '../../data/live.ts'
import { words } from '../../data/words.ts'
import { Countdown } from '../../parts/countdown.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, Form, Save } from '../../parts/form/form.tsx'
import { InstantInput } from '../../parts/form/instant.tsx'
import { Section } from '../../parts/section.tsx'
import { ownZone } from '../../parts/time.tsx'
import styles from './control.module.css'
import { useShown } from './shown.ts'

const minutes = [2, 5, 10] as const

/** What the countdown of the scenes runs to. */
export function Countdowns() {
  const { control, acts } = useShown()
  const { countdownTo } = control
  const [isOpen, setOpen] = useState(false)
  const run = (to: string | null) => acts.send({ countdownTo: to })
  return (
    <Section
      title={words('control.countdown')}
      beside={
        <>
          <span className="muted">
            {countdownTo === null ? words('control.no-countdown') : <Countdown at={countdownTo} />}
          </span>
          {countdownTo !== null && (
            <button type="button" className="btn" onClick={() => void run(null)}>
              {words('control.stop-countdown')}
            </button>
          )}
        </>
      }
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has no look of a row of buttons */}
      <div className={`choices ${styles.choice} ${styles.times}`} role="group" aria-label={words('control.countdown')}>
        {minutes.map((each) => (
          <button
            key={each}
            type="button"
            className="btn"
            onClick={() => void run(new Date(now() + each * 60_000).toISOString())}
          >
            {words('control.minutes', { minutes: each })}
          </button>
        ))}
        <button type="button" className="btn" onClick={() => setOpen(true)}>
          {words('control.to')}…
        </button>
      </div>
      {isOpen && (
        <Dialog title={words('control.countdown-to')} close={() => setOpen(false)}>
          <ToInstant close={() => setOpen(false)} />
        </Dialog>
      )}
    </Section>
  )
}

function ToInstant({ close }: { readonly close: () => void }) {
  const { control, acts } = useShown()
  const [seen] = useState(control)
  const [at, setAt] = useState(control.countdownTo)
  const send = async () => {
    await acts.send({ countdownTo: at }, seen)
    close()
  }
  return (
    <Form onSubmit={send}>
      <Field name="countdownTo" label={words('control.when')} isRequired>
        {(of) => <InstantInput of={of} value={at} set={setAt} zone={ownZone} isRequired />}
      </Field>
      <Save isSending={acts.sending.countdownTo !== undefined}>{words('control.begin-countdown')}</Save>
    </Form>
  )
}
