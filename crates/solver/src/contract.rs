//! The traits of every solver, and the same without their types for a registry.

use std::any::Any;
use std::fmt::Debug;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wavefield_numerics::observe::Observer;

use crate::context::Context;
use crate::cost::Cost;
use crate::error::Error;
use crate::inputs::Inputs;
use crate::outcome::Outcome;
use crate::scene::{Feature, InvalidSpec, Issue, Issues, Scene, unsupported};

/// What a solver can share between devices and processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// It computes on a GPU, too.
    pub gpu: bool,
    /// Its runs fall into independent tasks, for worker processes and shards.
    pub tasks: bool,
    /// Processes (MPI ranks) share one run.
    pub ranks: bool,
}

/// A solver: a problem specification in, a plan out.
pub trait Solver: Send + Sync + 'static {
    /// Its name in problem files.
    const NAME: &'static str;
    /// What it can share between devices and processes.
    const CAPABILITIES: Capabilities;
    /// The features of a scene that it supports; none for a solver without one.
    const FEATURES: &'static [Feature] = &[];
    /// The problem, as it stands in a problem file.
    type Spec: Clone
        + Debug
        + PartialEq
        + Serialize
        + DeserializeOwned
        + JsonSchema
        + Send
        + Sync
        + 'static;
    /// The plan of a run.
    type Plan: Plan + 'static;

    /// Returns the parts of a specification that every solver names alike.
    fn scene<'a>(&self, _spec: &'a Self::Spec) -> Scene<'a> {
        Scene::default()
    }

    /// Adds what is wrong with a specification beyond its scene, as far as no file is needed to tell.
    fn check(&self, _spec: &Self::Spec, _issues: &mut Issues) {}

    /// Reads what the problem refers to, checks it, and lays out the computation. Nothing large is allocated yet.
    ///
    /// # Errors
    /// The problem cannot be solved, an input cannot be read, or planning was stopped.
    fn plan(
        &self,
        spec: &Self::Spec,
        inputs: &dyn Inputs,
        observer: &dyn Observer,
    ) -> Result<Self::Plan, Error>;
}

/// Requires a specification to be valid for its solver: supported features, a sound scene, sound settings.
///
/// # Errors
/// [`InvalidSpec`] with all issues.
pub fn validate<S: Solver>(solver: &S, spec: &S::Spec) -> Result<(), InvalidSpec> {
    let scene = solver.scene(spec);
    let mut issues = Issues::default();
    for (_, issue) in unsupported(S::NAME, &scene, S::FEATURES) {
        issues.add(issue.path, issue.message);
    }
    scene.check(&mut issues);
    solver.check(spec, &mut issues);
    issues.into_result()
}

/// A planned run.
pub trait Plan: Send + Sync {
    /// Predicts the cost on a number of threads.
    fn cost(&self, threads: usize) -> Cost;

    /// Computes the outcome.
    ///
    /// # Errors
    /// The computation failed, did not converge, or was stopped.
    fn execute(&self, context: &Context<'_>) -> Result<Outcome, Error>;
}

/// A solver without its types, as a registry holds it.
pub trait AnySolver: Send + Sync {
    /// Returns its name in problem files.
    fn name(&self) -> &'static str;

    /// Returns what it can share between devices and processes.
    fn capabilities(&self) -> Capabilities;

    /// Returns the features of a scene that it supports.
    fn features(&self) -> &'static [Feature];

    /// Generates the JSON Schema of its specification.
    fn schema(&self) -> Schema;

    /// Reads a specification.
    ///
    /// # Errors
    /// The values do not match the types.
    fn read(
        &'static self,
        values: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<AnySpec, erased_serde::Error>;
}

impl<S: Solver> AnySolver for S {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn capabilities(&self) -> Capabilities {
        S::CAPABILITIES
    }

    fn features(&self) -> &'static [Feature] {
        S::FEATURES
    }

    fn schema(&self) -> Schema {
        SchemaSettings::draft2020_12()
            .into_generator()
            .into_root_schema_for::<S::Spec>()
    }

    fn read(
        &'static self,
        values: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<AnySpec, erased_serde::Error> {
        let spec: S::Spec = erased_serde::deserialize(values)?;
        Ok(AnySpec::new(self, spec))
    }
}

/// A specification together with its solver, without their types.
pub struct AnySpec {
    solver: &'static dyn AnySolver,
    spec: Box<dyn ErasedSpec>,
}

impl AnySpec {
    /// Joins a solver and a specification for it.
    pub fn new<S: Solver>(solver: &'static S, spec: S::Spec) -> AnySpec {
        AnySpec {
            solver,
            spec: Box::new(Specified { solver, spec }),
        }
    }

    /// Returns the solver.
    pub fn solver(&self) -> &'static dyn AnySolver {
        self.solver
    }

    /// Returns the specification if it is of this type.
    pub fn downcast<T: 'static>(&self) -> Option<&T> {
        self.spec.as_any().downcast_ref()
    }

    /// Returns the specification for a serializer.
    pub fn values(&self) -> &dyn erased_serde::Serialize {
        self.spec.values()
    }

    /// Returns the features of its scene that its solver does not support, each as an issue.
    pub fn unsupported(&self) -> Vec<(Feature, Issue)> {
        let solver = self.solver;
        unsupported(solver.name(), &self.spec.scene(), solver.features())
    }

    /// Returns what is wrong with it, apart from features that its solver does not support.
    pub fn issues(&self) -> Vec<Issue> {
        let mut issues = Issues::default();
        self.spec.scene().check(&mut issues);
        self.spec.check(&mut issues);
        issues.into_vec()
    }

    /// Plans the run.
    ///
    /// # Errors
    /// Those of [`Solver::plan`].
    pub fn plan(
        &self,
        inputs: &dyn Inputs,
        observer: &dyn Observer,
    ) -> Result<Box<dyn Plan>, Error> {
        self.spec.plan(inputs, observer)
    }
}

impl Clone for AnySpec {
    fn clone(&self) -> AnySpec {
        AnySpec {
            solver: self.solver,
            spec: self.spec.boxed_clone(),
        }
    }
}

impl Debug for AnySpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.spec.fmt(f)
    }
}

impl PartialEq for AnySpec {
    fn eq(&self, other: &AnySpec) -> bool {
        self.solver.name() == other.solver.name() && self.spec.equals(&*other.spec)
    }
}

trait ErasedSpec: Debug + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn values(&self) -> &dyn erased_serde::Serialize;
    fn boxed_clone(&self) -> Box<dyn ErasedSpec>;
    fn equals(&self, other: &dyn ErasedSpec) -> bool;
    fn scene(&self) -> Scene<'_>;
    fn check(&self, issues: &mut Issues);
    fn plan(&self, inputs: &dyn Inputs, observer: &dyn Observer) -> Result<Box<dyn Plan>, Error>;
}

struct Specified<S: Solver> {
    solver: &'static S,
    spec: S::Spec,
}

impl<S: Solver> Debug for Specified<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.spec.fmt(f)
    }
}

impl<S: Solver> ErasedSpec for Specified<S> {
    fn as_any(&self) -> &dyn Any {
        &self.spec
    }

    fn values(&self) -> &dyn erased_serde::Serialize {
        &self.spec
    }

    fn boxed_clone(&self) -> Box<dyn ErasedSpec> {
        Box::new(Specified {
            solver: self.solver,
            spec: self.spec.clone(),
        })
    }

    fn equals(&self, other: &dyn ErasedSpec) -> bool {
        other.as_any().downcast_ref() == Some(&self.spec)
    }

    fn scene(&self) -> Scene<'_> {
        self.solver.scene(&self.spec)
    }

    fn check(&self, issues: &mut Issues) {
        self.solver.check(&self.spec, issues);
    }

    fn plan(&self, inputs: &dyn Inputs, observer: &dyn Observer) -> Result<Box<dyn Plan>, Error> {
        let plan = self.solver.plan(&self.spec, inputs, observer)?;
        Ok(Box::new(plan))
    }
}
