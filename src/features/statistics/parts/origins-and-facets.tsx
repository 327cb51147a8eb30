import type { ComponentProps } from 'react'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import type { Statistics } from '#src/shared/query/use-statistics.ts'
import { FacetSection, type Facets } from './facet-section.tsx'
import type { DEVICE_FACETS, measureParts } from './measure-parts.ts'
import { OriginSection } from './origin-section.tsx'
import { PhoneAccordion } from './phone-accordion.tsx'

/** The right column of a page about one measure: where its events came from, and what its devices ran (measureParts). */
export function OriginsAndFacets({
  state,
  name,
  facets,
  source,
  sectionState,
  titles,
  grow = false,
}: {
  state: QueryState
  /** Name of the measure. */
  name: string
  facets: Facets<(typeof DEVICE_FACETS)[number]>
  source: Pick<Statistics<ReturnType<typeof measureParts>>, 'part'>
  sectionState: ComponentProps<typeof OriginSection>['sectionState']
  /** Headings that a phone shows. */
  titles: { origins: string; facets: string }
  /** The facets fill the rest of the column. */
  grow?: boolean
}) {
  return (
    <>
      <PhoneAccordion title={titles.origins}>
        <OriginSection
          state={state}
          measure={facets.measure}
          title={name}
          provinces={source.part('provinces')}
          countries={source.part('countries')}
          abroad={source.part('abroad')}
          additive={facets.additive}
          sectionState={sectionState}
        />
      </PhoneAccordion>
      <PhoneAccordion title={titles.facets} className={`flex flex-col ${grow ? 'flex-1' : ''}`}>
        <FacetSection
          state={state}
          facets={facets}
          parts={(facet) => source.part(facet)}
          className="grid-cols-2 overflow-hidden max-[479px]:grid-cols-1"
        />
      </PhoneAccordion>
    </>
  )
}
