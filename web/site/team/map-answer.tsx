import { useState } from 'react'
import type { Team } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import type { ListedMap } from '../data/generated.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { type FoundMap, MapField } from '../parts/finder.tsx'

/** A map as the answer to a question, found in the archive; an answer that was saved is shown by its name too. */

type Answer = Exclude<Team['additionalFields'][number]['response'], string | number | boolean>

interface Props {
  readonly id: string
  readonly describedBy: string | undefined
  readonly answer: Answer | null
  readonly choose: (answer: Answer | null) => void
}

export function MapAnswer({ id, describedBy, answer, choose }: Props) {
  const [found, setFound] = useState<FoundMap | null>(null)
  const chosen = answer !== null && found !== null && isSame(found, answer) ? found : null
  const hash = answer === null || chosen !== null ? null : answer.hash
  const read = useRead(hash === null ? null : address('/resources/pooling/maps', {}, { hash, limit: 50 }))
  const listed = read.data?.maps.find((map) => answer !== null && isSame(map, answer))
  return (
    <MapField
      id={id}
      describedBy={describedBy}
      placeholder={words('answers.map')}
      chosen={chosen ?? ((listed ?? answer) as FoundMap | null)}
      choose={(map) => {
        setFound(map)
        choose(map === null ? null : answerOf(map))
      }}
    />
  )
}

const answerOf = ({ hash, difficulty, characteristic }: FoundMap): Answer => ({ hash, difficulty, characteristic })

const isSame = (map: Pick<FoundMap | ListedMap, keyof Answer>, { hash, difficulty, characteristic }: Answer) =>
  map.hash === hash && map.difficulty === difficulty && map.characteristic === characteristic
