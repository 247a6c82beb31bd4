import { useState } from 'react'
import type { Writes } from '../data/generated.ts'
import { horizonAddress } from '../data/horizon.ts'
import { useMay, useTournamentId } from '../data/tournament.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { Dialog } from './dialog.tsx'
import { Form } from './form/form.tsx'

/** Shows everybody what is held back, after a look at how much that is. (V3, W19) */

const reveal = 'POST /tournaments/{tournament}/reveal'

type Revealed = Writes[typeof reveal]['reply']

interface Props {
  /** On the button. */
  readonly label: string
  /** GUID of a match that is over, to show it until its end; without it, everything until now is shown. */
  readonly match?: string
}

export function Reveal({ label, match }: Props) {
  const tournament = useTournamentId()
  const may = useMay()
  const [isAsking, setAsking] = useState(false)
  const [seen, setSeen] = useState<Revealed | null>(null)
  const look = useWrite(reveal, (_known, reply) => setSeen(reply))
  const act = useWrite(reveal, (known) => known.renew(horizonAddress(tournament)))
  if (!may('spoilers.reveal')) return null
  const params = { tournament }
  const body = match === undefined ? { all: true } : { match }
  const open = () => {
    setSeen(null)
    act.reset()
    setAsking(true)
    void look.send({ params, query: { dryRun: true }, body })
  }
  const close = () => setAsking(false)
  const count = seen?.matches.length ?? 0
  const isShown = match !== undefined && seen !== null && !seen.matches.includes(match)
  return (
    <>
      <button type="button" className="btn" onClick={open}>
        {label}…
      </button>
      {isAsking && (
        <Dialog title={label} close={close}>
          <Form error={act.error ?? look.error} onSubmit={async () => (await act.send({ params, body })) && close()}>
            <p>{words(match === undefined ? 'reveal.all-text' : 'reveal.match-text')}</p>
            <p role="status" className="strong">
              {seen === null
                ? words('reveal.looking')
                : isShown
                  ? words('reveal.is-shown')
                  : words('reveal.count', { count })}
            </p>
            <p className="muted">{words('reveal.final')}</p>
            <div className="btns">
              <button
                type="submit"
                className="btn btn-primary"
                aria-disabled={act.isSending || seen === null || isShown}
              >
                {words('reveal.act')}
              </button>
              <button type="button" className="btn" onClick={close}>
                {words('danger.cancel')}
              </button>
            </div>
          </Form>
        </Dialog>
      )}
    </>
  )
}
