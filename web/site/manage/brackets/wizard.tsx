import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { DivisionWithBrackets, ListedBracket } from '../../../../client/generated.ts'
import { divisionsAddress } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { TextField } from '../../parts/form/fields.tsx'
import { Form } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import styles from './brackets.module.css'
import { FormatFields } from './format-fields.tsx'
import { hoursOf, type Length, lengthOf } from './length.ts'
import { Losses } from './losses.tsx'
import { named, tiesOf, usePreview } from './preview.ts'
import { Preview } from './preview-part.tsx'
import { RoundFields } from './round-fields.tsx'
import { TieFields } from './tie-fields.tsx'
import { WhoFields } from './who-fields.tsx'
import { bodyOf, firstWish, sourceBracketOf, type Wish, wishOf } from './wish.ts'

/** Makes a bracket, or makes one again: its format, who plays in it, how long its rounds are; and what comes of that. */

interface Props {
  readonly division: DivisionWithBrackets
  readonly divisions: readonly DivisionWithBrackets[]
  readonly tournament: string
  readonly tournamentName: string
  readonly again: ListedBracket | undefined
}

export function Wizard({ division, divisions, tournament, tournamentName, again }: Props) {
  const navigate = useNavigate()
  // What somebody else does to a bracket meanwhile does not change what is wished here.
  const [first] = useState(() => (again === undefined ? firstWish : wishOf(again)))
  const form = useForm<Wish>({
    key: again === undefined ? `draw-${division.guid}` : `redraw-${again.guid}`,
    saved: first,
  })
  const wish = form.values
  const other = sourceBracketOf(wish, divisions)
  const body = bodyOf(wish, { again, other }, words('draw.unnamed'))
  const target = { tournament, division: division.guid, bracket: again?.guid }
  const preview = usePreview(target, body)
  const undecided = tiesOf(preview.error)
  const shown = preview.data === undefined ? undefined : named(preview.data, wish, other)
  const length = shown === undefined ? undefined : lengthOf(shown, wish.atOnce ?? 1)
  const make = useWrite('POST /tournaments/{tournament}/divisions/{division}/brackets', (known) =>
    known.renew(divisionsAddress(tournament)),
  )
  const remake = useWrite('POST /tournaments/{tournament}/brackets/{bracket}/generate', (known) => {
    known.renew(divisionsAddress(tournament))
    if (again !== undefined) known.renew(`/tournaments/${tournament}/brackets/${again.guid}`)
  })
  const isPlayed = again !== undefined && (again.status === 'running' || again.status === 'completed')
  const isReady = shown !== undefined && preview.error === null && !preview.isOld
  const { isSending } = again === undefined ? make : remake
  const submit = async () => {
    if (!isReady) return false
    const isDone =
      again === undefined
        ? await make.send({ params: { tournament, division: division.guid }, body })
        : await remake.send({
            params: { tournament, bracket: again.guid },
            body: { ...body, ...(isPlayed && { force: true }) },
          })
    if (!isDone) return false
    form.take()
    await navigate({ to: '/manage/$tournament/brackets', params: { tournament }, search: {}, ignoreBlocker: true })
    return true
  }
  const title = again === undefined ? words('draw.new') : words('draw.again-title', { name: again.name })
  const label = words(again === undefined ? 'draw.make' : 'draw.make-again')
  return (
    <>
      <div className="title">
        <div>
          <p>
            <Link to="/manage/$tournament/brackets" params={{ tournament }} search={{}}>
              {words('draw.title')}
            </Link>
            , <bdi>{division.name}</bdi>
          </p>
          <h1 data-title={`${title} · ${tournamentName}`}>{title}</h1>
          <p>{words(again === undefined ? 'draw.new-intro' : 'draw.again-intro')}</p>
        </div>
      </div>
      <Form
        id="wizard"
        error={again === undefined ? make.error : remake.error}
        isChanged={form.isChanged}
        onSubmit={() => !isPlayed && void submit()}
        className={styles.wizard}
      >
        <div className="stack">
          <Section title={words('draw.what')}>
            <div className={styles.fields}>
              <TextField form={form} name="name" label={words('draw.name')} maxLength={100} isRequired />
              <FormatFields form={form} />
            </div>
          </Section>
          <Section title={words('draw.who')}>
            <div className={styles.fields}>
              <WhoFields form={form} divisions={divisions} again={again} other={other} />
              {undecided !== null && <TieFields form={form} {...undecided} />}
              {undecided === null && wish.tie !== null && <TieFields form={form} {...wish.tie} />}
            </div>
          </Section>
          <Section title={words('draw.length')}>
            <div className={styles.fields}>
              <RoundFields form={form} bracket={shown} />
            </div>
          </Section>
        </div>
        <div className={styles.outcome}>
          <Preview
            bracket={shown}
            length={length}
            atOnce={wish.atOnce ?? 1}
            error={undecided === null ? preview.error : null}
            isOld={preview.isOld}
            again={() => void preview.refetch()}
          />
        </div>
      </Form>
      <div className={styles.foot}>
        <p role="status" className="push">
          {length === undefined ? words('draw.nothing-yet') : sentenceOf(length)}
        </p>
        {isPlayed ? (
          <Danger
            label={label}
            title={words('draw.again-title', { name: again.name })}
            confirm={label}
            typed={again.name}
            isReady={isReady}
            error={remake.error}
            isSending={isSending}
            act={submit}
          >
            <Losses brackets={[again.guid]} />
          </Danger>
        ) : (
          <button type="submit" form="wizard" className="btn btn-primary" aria-disabled={!isReady || isSending}>
            {label}
          </button>
        )}
      </div>
    </>
  )
}

/** How much there is to play, in a sentence. */
function sentenceOf({ matches, rounds, minutes }: Length): string {
  return words('draw.sum', { matches, rounds, hours: hoursOf(minutes) })
}
