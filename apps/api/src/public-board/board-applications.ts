import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AppliedPosting,
  applications,
  applicationViolations,
  createApplication,
  type OpenPosting,
  ValidationError,
  type Violation,
} from '@ats/domain';
import { message } from '@ats/message';
import { ENVIRONMENT } from '@ats/nest-app';
import { CursorCodec } from '@ats/pagination';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { UnitOfWork, type Work } from '../collections/unit-of-work.js';
import { type Environment } from '../config/env.js';
import { addressOf } from '../limits/address.js';
import { checkBody } from '../request/body.js';
import { type RequestContext } from '../request/request-context.js';
import { isJsonObject } from '../vocabulary/merge-patch.js';
import { VERSIONS } from '../versions/versions.js';
import { atAnswer, boardApplicationSchema, HONEYPOT, readAnswers } from './application-form.js';
import { BoardReader, notOpen } from './board-reader.js';

/** The age of a token below which a program, and no person, has filled in the form. */
const MIN_FORM_MS = 2_000;
/** The age of a token above which the form may have changed. */
const MAX_FORM_MS = 24 * 60 * 60 * 1_000;
/**
 * Answers are sent at a multiple of this time after the request, so that the time does not tell what the service knows
 * about the person.
 */
const ANSWER_STEP_MS = 250;

/** An application through a public board. */
export interface BoardRequest {
  readonly code: string;
  readonly id: number;
  readonly request: FastifyRequest;
  readonly language: RequestContext['settings']['language'];
}

/** Accepts applications through public boards. Source: docs/reference/public-board.md, "Applying". */
@Injectable()
export class BoardApplications {
  constructor(
    private readonly reader: BoardReader,
    private readonly unitOfWork: UnitOfWork,
    private readonly cursors: CursorCodec,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** The token of a form. It says when the client read the form of the posting. */
  tokenOf({ id }: OpenPosting): string {
    return this.cursors.seal({ keys: [String(Date.now())] }, purposeOf(id)) ?? '';
  }

  /**
   * Stores an application. The answer is the same for new and known people, for people who have applied before, and for
   * an application that fills in the hidden field.
   * @throws {ValidationError} with all violations of the body
   * @throws {Problem} 404 when the board has no such open posting
   */
  async apply({ code, id, request, language }: BoardRequest): Promise<void> {
    const start = performance.now();
    try {
      await this.#apply({ code, id, request, language });
    } finally {
      const passed = performance.now() - start;
      await sleep(ANSWER_STEP_MS - (passed % ANSWER_STEP_MS));
    }
  }

  async #apply({ code, id, request, language }: BoardRequest): Promise<void> {
    const { posting } = await this.reader.posting(code, id);
    const questions = await this.reader.questions(posting);
    const body = (request.body ?? {}) as Readonly<Record<string, unknown>>;
    const checked = checkBody(boardApplicationSchema, request.body);
    const answers = readAnswers(questions, isJsonObject(body['answers']) ? body['answers'] : {});
    const found = [...(checked.violations ?? this.#tokenViolations(checked.data.token, id)), ...answers.violations];
    const given = {
      opportunity_id: posting.vacancy_id,
      posting_id: id,
      source: code,
      candidate: checked.violations ? body['candidate'] : checked.data.candidate,
      on_existing_candidate: 'use',
      ...(answers.form_values.length > 0 && { form_values: answers.form_values }),
    };
    const context = this.#contextOf(request, posting, language);
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
        violations.map((violation) => atAnswer(violation, questions, answers.pointers)),
      );
    };
    if (found.length > 0)
      refuse(
        await this.unitOfWork.dryRun(context, (work) =>
          applicationViolations(work.transaction, applications, { given, found }, clientOf(work)),
        ),
      );
    const isHoneypotFilled = !checked.violations && Boolean(checked.data[HONEYPOT]);
    const write = (work: Work): Promise<number> =>
      createApplication(work.transaction, applications, given, clientOf(work));
    try {
      await (isHoneypotFilled ? this.unitOfWork.dryRun(context, write) : this.unitOfWork.run(context, write));
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      const shown = error.violations.filter((violation) => !isAboutPerson(violation));
      if (shown.length > 0) refuse(shown);
    }
  }

  #tokenViolations(token: string, id: number): readonly Violation[] {
    const opened = this.cursors.open(token, purposeOf(id));
    const age = opened.violation ? NaN : Date.now() - Number(opened.keys[0]);
    if (age >= MIN_FORM_MS && age <= MAX_FORM_MS) return [];
    const info =
      age < MIN_FORM_MS
        ? message`the form was sent too soon after it was read: send the same request again in ${MIN_FORM_MS / 1_000} s`
        : message`expected the token of a form of this posting that was read in the last ${24} hours`;
    return [{ path: '/token', code: 'invalid', info }];
  }

  /** The context of a write without a credential. It has no scopes. */
  #contextOf(
    request: FastifyRequest,
    { recruiter_id: recruiterId }: AppliedPosting,
    language: BoardRequest['language'],
  ): RequestContext {
    return {
      requestId: request.id,
      address: addressOf(request),
      actor: { credentialId: 0, keyId: '', userId: recruiterId, recruiterId, scopes: new Set() },
      version: VERSIONS.newest,
      compatibilityFlags: new Set(),
      settings: { baseUrl: this.environment.PUBLIC_BASE_URL, language },
    };
  }
}

/** True for a violation that would tell who is known, and who has applied before. */
const isAboutPerson = ({ path, code }: Violation): boolean =>
  path === '/candidate/email' || (path === '/opportunity_id' && code === 'already_exists');

/** True when the posting or its vacancy was closed or deleted after it was read. */
const isClosed = ({ path, code }: Violation): boolean =>
  path === '/posting_id' || (path === '/opportunity_id' && code !== 'already_exists');

const purposeOf = (id: number): string => `application form of posting ${id}`;
