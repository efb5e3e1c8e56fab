import { setTimeout as sleep } from 'node:timers/promises';
import { message } from '@ats/message';
import { applications, applicationViolations, createApplication, ValidationError, type Violation } from '@ats/domain';
import { ENVIRONMENT } from '@ats/nest-app';
import { Inject, Injectable } from '@nestjs/common';
import { UnitOfWork, type Work } from '../collections/unit-of-work.js';
import { type Environment } from '../config/env.js';
import { checkBody } from '../request/body.js';
import { isJsonObject } from '../vocabulary/merge-patch.js';
import { atAnswer, boardApplicationSchema, HONEYPOT, PROOF, readAnswers } from './application-form.js';
import { atToken, BoardDocuments, DOCUMENTS } from './board-documents.js';
import { BoardReader, notOpen } from './board-reader.js';
import { boardContext, type BoardRequest } from './board-request.js';
import { BoardTokens } from './board-tokens.js';
import { Challenges } from './challenges.js';

/**
 * Time in ms. Each answer is sent at a multiple of this time after its request, so that the response time does not
 * reveal whether the person is known. Creating a person takes longer than finding one. An application takes much less
 * than this time, also on a busy machine, so that both almost always end at the same multiple. The time of the
 * challenge service is added, because it does not depend on the person.
 */
const ANSWER_STEP_MS = 1_000;

/** Takes applications through public boards. Source: docs/reference/public-board.md, "Applying". */
@Injectable()
export class BoardApplications {
  constructor(
    private readonly reader: BoardReader,
    private readonly unitOfWork: UnitOfWork,
    private readonly tokens: BoardTokens,
    private readonly documents: BoardDocuments,
    private readonly challenges: Challenges,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * Stores an application. The answer is the same for new and known people, for people who have applied before, and for
   * programs that fill in the hidden field.
   * @throws {ValidationError} with all violations of the body
   * @throws {Problem} 404 when the board has no such open posting, 503 when the challenge service gives no result
   */
  async apply({ code, id, request, language }: BoardRequest): Promise<void> {
    const clock = { start: performance.now() };
    try {
      await this.#apply({ code, id, request, language }, clock);
    } finally {
      const passed = performance.now() - clock.start;
      await sleep(ANSWER_STEP_MS - (passed % ANSWER_STEP_MS));
    }
  }

  /** Asks the challenge service. Moves the start of the clock, so that the time of its answer does not count. */
  async #checkProof(proof: string, clock: { start: number }): Promise<readonly Violation[]> {
    const asked = performance.now();
    try {
      return (await this.challenges.isProven(proof)) ? [] : [invalidProof()];
    } finally {
      clock.start += performance.now() - asked;
    }
  }

  #tokenViolations(token: string, id: number): readonly Violation[] {
    const info = this.tokens.formFault(token, id);
    return info ? [{ path: '/token', code: 'invalid', info }] : [];
  }

  #missingProof(proof: unknown): readonly Violation[] {
    return this.challenges.siteKey !== undefined && (proof ?? '') === '' ? [invalidProof()] : [];
  }

  async #apply({ code, id, request, language }: BoardRequest, clock: { start: number }): Promise<void> {
    const { posting } = await this.reader.posting(code, id);
    const questions = await this.reader.questions(posting);
    const body = (request.body ?? {}) as Readonly<Record<string, unknown>>;
    const checked = checkBody(boardApplicationSchema, request.body);
    const answers = readAnswers(questions, isJsonObject(body['answers']) ? body['answers'] : {});
    const documents = this.documents.read(body[DOCUMENTS], id);
    const found = [
      ...(checked.violations ?? this.#tokenViolations(checked.data.token, id)),
      ...this.#missingProof(body[PROOF]),
      ...answers.violations,
      ...documents.violations,
    ];
    const given = {
      opportunity_id: posting.vacancy_id,
      posting_id: id,
      source: code,
      candidate: checked.violations ? body['candidate'] : checked.data.candidate,
      on_existing_candidate: 'use',
      document_ids: documents.ids,
      ...(answers.form_values.length > 0 && { form_values: answers.form_values }),
    };
    const context = boardContext({ request, language }, posting, this.environment.PUBLIC_BASE_URL);
    const clientOf = ({ recruiterId, credentialId, settings }: Work) => ({
      recruiterId,
      credentialId,
      settings,
      canReadCandidates: false,
    });
    const refuse = (violations: readonly Violation[]): never => {
      if (violations.some(isClosed)) throw notOpen(id);
      throw new ValidationError(
        applications.name,
        violations.map((violation) => atToken(atAnswer(violation, questions, answers.pointers), documents)),
      );
    };
    // The challenge service accepts each proof only once. All other violations are therefore found before the proof is
    // sent to it.
    if (found.length > 0 || this.challenges.siteKey !== undefined) {
      const violations = await this.unitOfWork.dryRun(context, (work) =>
        applicationViolations(work.transaction, applications, { given, found }, clientOf(work)),
      );
      const shown = found.length > 0 ? violations : violations.filter((violation) => !isAboutPerson(violation));
      if (shown.length > 0) refuse(shown);
      const ofProof = await this.#checkProof((!checked.violations && checked.data.proof) || '', clock);
      if (ofProof.length > 0) refuse(ofProof);
    }
    const isHoneypotFilled = !checked.violations && Boolean(checked.data[HONEYPOT]);
    const write = (work: Work): Promise<number> =>
      createApplication(work.transaction, applications, given, clientOf(work));
    try {
      if (!isHoneypotFilled) return void (await this.unitOfWork.run(context, write));
      await this.unitOfWork.dryRun(context, write);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      const shown = error.violations.filter((violation) => !isAboutPerson(violation));
      if (shown.length > 0) refuse(shown);
    }
    await this.documents.drop(documents, context);
  }
}

const invalidProof = (): Violation => ({
  path: `/${PROOF}`,
  code: 'invalid',
  info: message`expected a proof of the challenge service that was not used before: solve a new challenge`,
});

/** True for a violation that would reveal that a person is known or has applied before. */
const isAboutPerson = ({ path, code }: Violation): boolean =>
  path === '/candidate/email' || (path === '/opportunity_id' && code === 'already_exists');

/** True when the posting or its vacancy was closed or deleted after it was read. */
const isClosed = ({ path, code }: Violation): boolean =>
  path === '/posting_id' || (path === '/opportunity_id' && code !== 'already_exists');
