import { useEffect, useState, useSyncExternalStore } from 'react'
import type { PlayerScore } from '../../../../src/engine/scenes/live.ts'
import type { ControlState, DataTree } from '../../../../src/engine/scenes/tree.ts'
import { address } from '../../data/api.ts'
import { epochOfLive, live } from '../../data/live.ts'
import { useRead } from '../../data/queries.ts'
import type { Filling } from './canvas/drawing.ts'

/** What scenes are filled with: what happens now, or one of the samples of the service. */

export const samples = ['solo', 'teams', 'free_for_all', 'pick_ban', 'bracket', 'break', 'finished'] as const
export type Source = (typeof samples)[number] | 'live'

export const isSource = (text: string | undefined): text is Source =>
  text === 'live' || samples.some((each) => each === text)

/** Why there is nothing to fill scenes with, and what asks for it again. */
export interface Unread {
  readonly error: Error
  readonly again: () => void
}

export function useFilling(
  at: { readonly tournament: string; readonly overlay: string },
  source: Source,
): { readonly filling: Filling | null; readonly unread: Unread | null } {
  const isLive = source === 'live'
  const ofSample = useRead(isLive ? null : address('/overlays/sample-data', {}, { preset: source }))
  const ofData = useRead(isLive ? address('/tournaments/{tournament}/overlays/{overlay}/data', at) : null, {
    live: true,
  })
  const ofControl = useRead(isLive ? address('/tournaments/{tournament}/overlays/{overlay}/control', at) : null, {
    live: true,
  })
  const [sample, data, control] = [ofSample.data, ofData.data, ofControl.data]
  const values = useValues(isLive ? `/tournaments/${at.tournament}/overlays/${at.overlay}/live` : null)
  const [filling, setFilling] = useState<Filling | null>(null)
  useEffect(() => {
    if (sample !== undefined)
      setFilling({
        data: sample.data as unknown as DataTree,
        control: sample.control as unknown as ControlState,
        values: sample.live as Filling['values'],
      })
    else if (data !== undefined && control !== undefined)
      setFilling({ data: data as unknown as DataTree, control: control as unknown as ControlState, values })
  }, [sample, data, control, values])
  const failed = [ofSample, ofData, ofControl].filter(({ error }) => error !== null)
  const [first] = failed
  const again = () => {
    for (const { refetch } of failed) void refetch()
  }
  return { filling, unread: first?.error == null ? null : { error: first.error, again } }
}

const nothing: Filling['values'] = {}

function useValues(topic: string | null): Filling['values'] {
  const epoch = useSyncExternalStore(epochOfLive.subscribe, epochOfLive.get)
  const [values, setValues] = useState(nothing)
  useEffect(() => {
    if (topic === null || epoch === null) return
    return live()
      .live<PlayerScore>(topic)
      .subscribe(({ value }) => setValues(value ?? nothing))
  }, [topic, epoch])
  return topic === null ? nothing : values
}
